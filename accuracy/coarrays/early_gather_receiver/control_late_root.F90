! The image that gets the sum comes last: the data is there, and it waits for nobody.
! threads: 4 2
#include "../truth.h"

program control_late_root
  use truth
  implicit none
  integer :: round

  BEGIN
  do round = 1, rounds
    call work(merge(17d0, 5d0, this_image() == 1))
    SUM_ON(1)
    BARRIER
  end do
  FINISH
end program
