! The root is in a broadcast of much data long before the others.
! threads: 4 2
#include "../truth.h"

program broadcast
  use truth
  implicit none
  integer :: round

  BEGIN
  do round = 1, rounds
    call work(merge(5d0, 20d0, this_image() == 1))
    LARGE_BROADCAST(1)
    BARRIER
  end do
  call plan("wait_inside_collective", rounds * 15d0)
  FINISH
end program
