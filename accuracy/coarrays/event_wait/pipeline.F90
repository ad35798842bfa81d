! A pipeline: the first image is the slowest, and all others wait for it in the end, whomever they wait for themselves.
! threads: 4 2
#include "../truth.h"

program pipeline
  use truth
  implicit none
  integer :: block

  BEGIN
  do block = 1, rounds
    if (this_image() > 1) then
      AWAIT_EVENT(1)
    end if
    call work(merge(12d0, 6d0, this_image() == 1))
    if (this_image() < num_images()) then
      POST_EVENT(this_image() + 1)
    end if
  end do
  ! The first block comes to image i after the work of all before it, the others 6 ms after it is ready.
  call plan("event_wait", (num_images() - 1) * (12 + (rounds - 1) * 6d0) + 3d0 * (num_images() - 1) * (num_images() - 2))
  FINISH
end program
