! An image is held up in the barrier, but runs again before the last one comes.
! threads: 4 2
#include "../truth.h"

program control_held_in_vain
  use truth
  implicit none
  integer :: round

  BEGIN
  do round = 1, rounds
    if (this_image() == 1) call hold_up(2d0, 8d0)
    if (this_image() == num_images()) call work(15d0)
    BARRIER
  end do
  call plan("wait_at_barrier", rounds * 15d0 * (num_images() - 1))
  FINISH
end program
