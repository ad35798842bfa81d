! Images synchronise in pairs, one of which is late; each round it is the other one.
! threads: 4 2
#include "../truth.h"

program pairs
  use truth
  implicit none
  integer :: round, partner(1)
  logical :: is_late

  BEGIN
  partner = merge(this_image() + 1, this_image() - 1, mod(this_image(), 2) == 1)
  do round = 1, rounds
    is_late = mod(this_image() + round, 2) == 0
    call work(merge(17d0, 5d0, is_late))
    if (partner(1) <= num_images()) then
      SYNC_IMAGES(partner)
    end if
  end do
  call plan("partner_wait", rounds * 12d0 * (num_images() / 2))
  FINISH
end program
