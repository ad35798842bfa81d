! One image waits until all others have posted, which come one after the other.
! threads: 4 3
#include "../truth.h"

program until_count
  use truth
  implicit none
  integer :: round

  BEGIN
  do round = 1, rounds
    if (this_image() == 1) then
      AWAIT_EVENT(num_images() - 1)
    else
      call work(8d0 * (this_image() - 1))
      POST_EVENT(1)
    end if
    BARRIER
  end do
  call plan("event_wait", rounds * 8d0 * (num_images() - 1))
  FINISH
end program
