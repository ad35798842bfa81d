! Each round another image gets the sums of much data, and comes after all but one.
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
    call work(merge(20d0, merge(30d0, 5d0, this_image() == late), this_image() == root))
    LARGE_SUM_ON(root)
    BARRIER
  end do
  call plan("early_gather_sender", rounds * 15d0)
  call plan("early_gather_receiver", rounds * 10d0)
  FINISH
end program
