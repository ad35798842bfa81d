! Image 1 comes late to allocations, and early to the deallocations.
! threads: 4 2
#include "../truth.h"

program late_deallocation
  use truth
  implicit none
  integer, allocatable :: a(:)[:]
  integer :: round

  BEGIN
  do round = 1, rounds
    call work(merge(20d0, 5d0, this_image() == 1))
    ALLOCATE_COARRAY(a(10000)[*])
    call work(merge(5d0, 15d0, this_image() == 1))
    DEALLOCATE_COARRAY(a)
  end do
  call plan("wait_at_alloc", rounds * (15d0 * (num_images() - 1) + 10))
  FINISH
end program
