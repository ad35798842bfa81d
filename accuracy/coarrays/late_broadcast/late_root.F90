! The root of a broadcast comes late, and all others wait for its data.
! threads: 4 2
#include "../truth.h"

program late_root
  use truth
  implicit none
  integer :: round

  BEGIN
  do round = 1, rounds
    call work(merge(17d0, 5d0, this_image() == 1))
    BROADCAST(1)
    BARRIER
  end do
  call plan("late_broadcast", rounds * 12d0 * (num_images() - 1))
  FINISH
end program
