! The root comes first: the data is there when the others come.
! threads: 4 2
#include "../truth.h"

program control_early_root
  use truth
  implicit none
  integer :: round

  BEGIN
  do round = 1, rounds
    call work(merge(5d0, 17d0, this_image() == 1))
    BROADCAST(1)
    BARRIER
  end do
  FINISH
end program
