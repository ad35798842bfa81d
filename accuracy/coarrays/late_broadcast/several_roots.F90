! Each round another image is the root, and comes after some of the others and before the last.
! threads: 4 3
#include "../truth.h"

program several_roots
  use truth
  implicit none
  integer :: round, root, last

  BEGIN
  do round = 1, rounds
    root = mod(round, num_images()) + 1
    last = mod(root, num_images()) + 1
    call work(merge(17d0, merge(25d0, 5d0, this_image() == last), this_image() == root))
    BROADCAST(root)
    BARRIER
  end do
  call plan("late_broadcast", rounds * 12d0 * (num_images() - 2))
  FINISH
end program
