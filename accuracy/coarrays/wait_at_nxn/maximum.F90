! Every image gets the maximum over all, and the last image comes late.
! threads: 4 2
#include "../truth.h"

program maximum
  use truth
  implicit none
  integer :: round

  BEGIN
  do round = 1, rounds
    call work(merge(20d0, 5d0, this_image() == num_images()))
    MAXIMUM
    BARRIER
  end do
  call plan("wait_at_nxn", rounds * 15d0 * (num_images() - 1))
  FINISH
end program
