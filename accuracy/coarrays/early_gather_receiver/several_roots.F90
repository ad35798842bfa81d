! Each round another image gets the minimum, and all others but one are there before it.
! threads: 4 3
#include "../truth.h"

program several_roots
  use truth
  implicit none
  integer :: round, root, late

  BEGIN
  do round = 1, rounds
    root = mod(round, num_images()) + 1
    late = mod(root, num_images()) + 1
    call work(merge(25d0, merge(10d0, 8d0, this_image() == root), this_image() == late))
    MINIMUM_ON(root)
    BARRIER
  end do
  call plan("early_gather_receiver", rounds * 15d0)
  FINISH
end program
