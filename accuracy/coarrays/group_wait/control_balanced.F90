! The images of a team come at the same time, those of the other team at another one.
! threads: 4 6
#include "../truth.h"

program control_balanced
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
  change team (half)
    do round = 1, rounds
      call work(10d0 + 10 * mod(me, 2))
      TEAM_SUM(mates)
      call work(10d0)
      TEAM_BARRIER(mates)
    end do
  END_TEAM(mates)
  FINISH
end program
