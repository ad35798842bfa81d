! All images come at the same time.
! threads: 4 2
#include "../truth.h"

program control_balanced
  use truth
  implicit none
  integer, allocatable :: a(:)[:]
  integer :: round

  BEGIN
  do round = 1, rounds
    call work(15d0)
    ALLOCATE_COARRAY(a(100)[*])
    call work(15d0)
    DEALLOCATE_COARRAY(a)
  end do
  FINISH
end program
