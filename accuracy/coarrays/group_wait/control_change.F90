! The images of a team change to it at the same time, those of the other team at another one.
! threads: 4 6
#include "../truth.h"

program control_change
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
    call work(10d0 + 10 * mod(me, 2))
    CHANGE_TEAM(mates, half)
      call work(10d0)
    END_TEAM(mates)
  end do
  FINISH
end program
