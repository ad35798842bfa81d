! The image that gets the sums of much data is late, and others cannot send it theirs.
! threads: 4 2
#include "../truth.h"

program sum
  use truth
  implicit none
  integer :: round

  BEGIN
  do round = 1, rounds
    call work(merge(17d0, 5d0, this_image() == 1))
    LARGE_SUM_ON(1)
    BARRIER
  end do
  call plan("early_gather_sender", rounds * 12d0)
  FINISH
end program
