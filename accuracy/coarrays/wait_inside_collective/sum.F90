! The image that gets the sum is held up in the reduction when the others have left it.
! threads: 4 2
#include "../truth.h"

program sum
  use truth
  implicit none
  integer :: round

  BEGIN
  do round = 1, rounds
    if (this_image() == 1) then
      call hold_up(4d0, 24d0)
    else
      call work(10d0)
    end if
    SUM_ON(1)
    BARRIER
  end do
  call plan("wait_inside_collective", rounds * 14d0)
  call plan("early_gather_receiver", rounds * 10d0)
  FINISH
end program
