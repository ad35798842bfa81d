! The image that gets the sum comes before the last of the others, which come one after the other.
! threads: 4 2
#include "../truth.h"

program sum
  use truth
  implicit none
  integer :: round

  BEGIN
  do round = 1, rounds
    call work(5 + merge(0d0, 20d0 * (this_image() - 1) / (num_images() - 1), this_image() == 1))
    SUM_ON(1)
    BARRIER
  end do
  call plan("early_gather_receiver", rounds * 20d0)
  FINISH
end program
