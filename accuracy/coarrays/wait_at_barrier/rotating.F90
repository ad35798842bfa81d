! Each round another image is late for the barrier.
! threads: 4 2
#include "../truth.h"

program rotating
  use truth
  implicit none
  integer :: round

  BEGIN
  do round = 1, rounds
    call work(merge(17d0, 5d0, mod(round, num_images()) + 1 == this_image()))
    BARRIER
  end do
  call plan("wait_at_barrier", rounds * 12d0 * (num_images() - 1))
  FINISH
end program
