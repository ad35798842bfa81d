! Images with odd numbers are a team, and those with even numbers: one of each is late to change to it.
! threads: 4 6
#include "../truth.h"

program change
  use truth
  implicit none
  type(team_type) :: half
  integer :: me, round, i
  integer, allocatable :: everybody(:), mates(:)

  BEGIN
  me = this_image()
  everybody = [(i, i=1, num_images())]
  mates = [(i, i=2 - mod(me, 2), num_images(), 2)]
  FORM_TEAM(everybody, 1 + mod(me, 2), half)
  do round = 1, rounds
    call work(merge(17d0, 5d0, me == mates(1 + mod(round, size(mates)))))
    CHANGE_TEAM(mates, half)
      call work(merge(20d0, 5d0, me == mates(1)))
    END_TEAM(mates)
  end do
  call plan("group_wait", rounds * (12d0 + 15) * 2 * (num_images() / 2 - 1))
  FINISH
end program
