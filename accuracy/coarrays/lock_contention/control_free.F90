! Images have the same lock one after the other, and never find it taken.
! threads: 4 2
#include "../truth.h"

program control_free
  use truth
  implicit none
  integer :: round

  BEGIN
  do round = 1, rounds
    call work(8d0 * this_image())
    LOCK_IT(1)
    call work(4d0)
    UNLOCK_IT(1)
    call work(8d0 * (num_images() - this_image()))
    BARRIER
  end do
  FINISH
end program
