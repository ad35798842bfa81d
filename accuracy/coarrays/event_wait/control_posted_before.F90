! Events are posted long before anybody waits for them.
! threads: 4 2
#include "../truth.h"

program control_posted_before
  use truth
  implicit none
  integer :: round

  BEGIN
  do round = 1, rounds
    call work(5d0)
    POST_EVENT(mod(this_image(), num_images()) + 1)
    call work(20d0)
    AWAIT_EVENT(1)
    BARRIER
  end do
  FINISH
end program
