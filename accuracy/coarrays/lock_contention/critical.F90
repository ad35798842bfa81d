! One image after the other executes a critical construct, for which all come at once.
! threads: 4 2
#include "../truth.h"

program critical
  use truth
  implicit none
  integer :: round

  BEGIN
  do round = 1, rounds
    call work(5d0)
    CRITICAL
    call work(10d0)
    END_CRITICAL
    BARRIER
  end do
  call plan("lock_contention", rounds * 10d0 * num_images() * (num_images() - 1) / 2)
  FINISH
end program
