! All images want a lock within a short time, and each waits for the one before it.
! threads: 4 2
#include "../truth.h"

program chain
  use truth
  implicit none
  integer :: round

  BEGIN
  do round = 1, rounds
    call work(2d0 * this_image())
    LOCK_IT(1)
    call work(12d0)
    UNLOCK_IT(1)
    BARRIER
  end do
  call plan("lock_contention", rounds * 10d0 * num_images() * (num_images() - 1) / 2)
  FINISH
end program
