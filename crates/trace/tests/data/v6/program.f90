! Synchronisation with some images, an event, atomic operations and a team, by calls whose places are addresses:
!
!     pgastool compile caf -O1 program.f90 -o program
!     pgastool run -n 2 --compress none -o images ./program
program sample
  use iso_fortran_env
  implicit none
  type(event_type), save :: ready[*]
  type(team_type) :: half
  integer(atomic_int_kind), save :: counter[*]
  integer :: seen
  call atomic_define(counter, 0)
  sync all
  if (this_image() == 1) then
    call atomic_add(counter[2], 1)
    event post(ready[2])
  else
    event wait(ready)
  end if
  sync images(*)
  form team (1 + mod(this_image(), 2), half)
  change team (half)
    sync all
  end team
  call atomic_ref(seen, counter)
  if (seen /= this_image() - 1) error stop
end program
