! Every image gets the sum over all, and they come one after the other.
! threads: 4 2
#include "../truth.h"

program sum
  use truth
  implicit none
  integer :: round

  BEGIN
  do round = 1, rounds
    call work(5 + 40d0 / num_images() * mod(this_image() + round, num_images()))
    SUM
    BARRIER
  end do
  call plan("wait_at_nxn", rounds * 40d0 * (num_images() - 1) / 2)
  FINISH
end program
