! One image has the lock by an attempt, the next one waits for it, the others try in vain, which is no ownership.
! threads: 4 3
#include "../truth.h"

program attempts
  use truth
  implicit none
  integer :: round, first, second
  logical :: got

  BEGIN
  do round = 1, rounds
    first = mod(round, num_images()) + 1
    second = mod(first, num_images()) + 1
    if (this_image() == first) then
      TRY_LOCK(2, got)
      if (.not. got) error stop "the lock is not free"
      call work(25d0)
      UNLOCK_IT(2)
    else if (this_image() == second) then
      call work(10d0)
      LOCK_IT(2)
      UNLOCK_IT(2)
    else
      call work(15d0)
      TRY_LOCK(2, got)
      if (got) then
        UNLOCK_IT(2)
      end if
    end if
    BARRIER
  end do
  call plan("lock_contention", rounds * 15d0)
  FINISH
end program
