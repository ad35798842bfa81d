! Images come one after the other to an allocation, in a different order each round.
! threads: 4 2
#include "../truth.h"

program staggered
  use truth
  implicit none
  integer, allocatable :: a(:)[:]
  integer :: round

  BEGIN
  do round = 1, rounds
    call work(5 + 40d0 / num_images() * mod(this_image() + round, num_images()))
    ALLOCATE_COARRAY(a(100)[*])
    BARRIER
    DEALLOCATE_COARRAY(a)
  end do
  call plan("wait_at_alloc", rounds * 40d0 * (num_images() - 1) / 2)
  FINISH
end program
