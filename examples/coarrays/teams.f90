! Statements of teams, each with a check of what it did. Coarrays are not allocated in a team, which
! fails now and then with OpenCoarrays 2.10 over Open MPI 4.1.
program teams
  use, intrinsic :: iso_fortran_env, only: team_type
  implicit none
  type(team_type) :: half
  integer, save :: number[*]
  integer, allocatable :: of_all(:)[:]
  integer :: me, images, mates, mine, next, sum, i

  me = this_image()
  images = num_images()
  number = me
  form team (1 + mod(me, 2), half)
  sync all
  change team (half)
    mates = num_images()
    mine = this_image()
    ! Images 1, 3, 5 and so on are one team, the others are the other one.
    if (mates /= (images + mod(me, 2)) / 2 .or. mine /= (me + 1) / 2) error stop 'teams: wrong team'
    sum = me
    call co_sum(sum)
    if (sum /= mates * (mates + mod(me + 1, 2))) error stop 'teams: co_sum'
    next = 1 + mod(mine, mates)
    if (number[next] /= 2 * next - mod(me, 2)) error stop 'teams: get'
    sync all
    number[next] = -me
    sync all
    if (number /= -2 * (1 + mod(mine + mates - 2, mates)) + mod(me, 2)) error stop 'teams: put'
  end team
  sync team (half)
  allocate (of_all(images)[*])
  do i = 1, images
    of_all(me)[i] = me
  end do
  sync all
  if (any(of_all /= [(i, i=1, images)])) error stop 'teams: after the team'
  sync all
  if (me == 1) print '(a)', 'teams: verified'
end program
