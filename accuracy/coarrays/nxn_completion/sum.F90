! One image is held up in a sum when others leave.
! threads: 4 2
#include "../truth.h"

program sum
  use truth
  implicit none
  integer :: round

  BEGIN
  do round = 1, rounds
    if (this_image() == num_images()) call hold_up(4d0, 24d0)
    if (this_image() == 1) call work(10d0)
    SUM
    BARRIER
  end do
  call plan("nxn_completion", rounds * 14d0)
  FINISH
end program
