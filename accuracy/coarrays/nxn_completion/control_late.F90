! One image is late for the sum, and all leave it together.
! threads: 4 2
#include "../truth.h"

program control_late
  use truth
  implicit none
  integer :: round

  BEGIN
  do round = 1, rounds
    call work(merge(17d0, 5d0, this_image() == 1))
    SUM
    BARRIER
  end do
  call plan("wait_at_nxn", rounds * 12d0 * (num_images() - 1))
  FINISH
end program
