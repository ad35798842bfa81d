! The same barrier is waited for along different call paths, each of which has its own share.
! threads: 4 2
! options: --functions all
#include "../truth.h"

program nested
  use truth
  implicit none
  integer :: round

  call set_place(1)
  BEGIN
  call name_place(1, "nested")
  call name_place(2, "nested/inner")
  call name_place(3, "nested/outer/inner")
  do round = 1, rounds
    call outer()
    call set_place(2)
    call inner(merge(20d0, 5d0, this_image() == 1))
    call work(merge(15d0, 5d0, this_image() == num_images()))
    call set_place(1)
    BARRIER
  end do
  call set_place(0)
  call plan("wait_at_barrier", rounds * (12d0 + 15 + 10) * (num_images() - 1))
  FINISH

contains

  subroutine inner(milliseconds)
    double precision, intent(in) :: milliseconds

    call work(milliseconds)
    BARRIER
  end subroutine

  subroutine outer()
    call set_place(3)
    call inner(merge(17d0, 5d0, this_image() == num_images()))
  end subroutine
end program
