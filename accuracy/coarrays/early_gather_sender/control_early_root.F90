! The image that gets the sum is there before all others.
! threads: 4 2
#include "../truth.h"

program control_early_root
  use truth
  implicit none
  integer :: round

  BEGIN
  do round = 1, rounds
    call work(merge(5d0, 17d0, this_image() == 1))
    SUM_ON(1)
    BARRIER
  end do
  call plan("early_gather_receiver", rounds * 12d0)
  FINISH
end program
