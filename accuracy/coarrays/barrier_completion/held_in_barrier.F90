! One image is held up in a barrier until long after the last one has come.
! threads: 4 2
#include "../truth.h"

program held_in_barrier
  use truth
  implicit none
  integer :: round

  BEGIN
  do round = 1, rounds
    if (this_image() == num_images()) call hold_up(4d0, 24d0)
    if (this_image() == 1) call work(10d0)
    BARRIER
    BARRIER
  end do
  call plan("barrier_completion", rounds * 14d0)
  FINISH
end program
