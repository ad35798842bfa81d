! All images come at the same time.
! threads: 4 2
#include "../truth.h"

program control_balanced
  use truth
  implicit none
  integer :: round

  BEGIN
  do round = 1, rounds
    call work(12d0)
    SUM
    call work(12d0)
    MAXIMUM
    BARRIER
  end do
  FINISH
end program
