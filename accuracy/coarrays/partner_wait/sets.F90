! Image 1 synchronises with all others, which come one after the other and synchronise with it alone.
! threads: 4 3
#include "../truth.h"

program sets
  use truth
  implicit none
  integer :: round, i
  integer, allocatable :: partners(:)

  BEGIN
  if (this_image() == 1) then
    partners = [(i, i=2, num_images())]
  else
    partners = [1]
  end if
  do round = 1, rounds
    call work(8d0 * this_image())
    SYNC_IMAGES(partners)
  end do
  ! Image 1 waits for the last one. Others may come before it from the second round on, since it has waited.
  call plan("partner_wait", rounds * 8d0 * (num_images() - 1))
  FINISH
end program
