! Images with odd numbers are a team, and those with even numbers: the roots of broadcasts come late.
! threads: 4 6
#include "../truth.h"

program root
  use truth
  implicit none
  type(team_type) :: half
  integer :: me, round, i, number
  integer, allocatable :: everybody(:), mates(:)

  BEGIN
  me = this_image()
  everybody = [(i, i=1, num_images())]
  mates = [(i, i=2 - mod(me, 2), num_images(), 2)]
  FORM_TEAM(everybody, 1 + mod(me, 2), half)
  change team (half)
    do round = 1, rounds
      number = 1 + mod(round, size(mates))
      call work(merge(17d0, 5d0, me == mates(number)))
      TEAM_BROADCAST(mates, mates(number), number)
      TEAM_BARRIER(mates)
    end do
  END_TEAM(mates)
  call plan("group_wait", rounds * 12d0 * 2 * (num_images() / 2 - 1))
  FINISH
end program
