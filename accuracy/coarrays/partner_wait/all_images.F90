! Each round another image is late, and all synchronise with all.
! threads: 4 2
#include "../truth.h"

program all_images
  use truth
  implicit none
  integer :: round, late

  BEGIN
  do round = 1, rounds
    late = mod(round, num_images()) + 1
    call work(merge(17d0, 5d0, this_image() == late))
    SYNC_IMAGES_ALL
  end do
  call plan("partner_wait", rounds * 12d0 * (num_images() - 1))
  FINISH
end program
