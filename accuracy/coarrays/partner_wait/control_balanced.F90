! Images synchronise with their neighbours, and come at the same time.
! threads: 4 2
#include "../truth.h"

program control_balanced
  use truth
  implicit none
  integer :: round
  integer, allocatable :: neighbours(:)

  BEGIN
  neighbours = [mod(this_image(), num_images()) + 1, mod(this_image() - 2 + num_images(), num_images()) + 1]
  if (num_images() < 3) neighbours = neighbours(1:1)
  do round = 1, rounds
    call work(20d0)
    SYNC_IMAGES(neighbours)
  end do
  FINISH
end program
