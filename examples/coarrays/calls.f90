! Every statement of coarrays that gfortran turns into a call of its library, once, with a check of
! what it did. Runs on two and more images: puts of one image to itself are wrong in OpenCoarrays
! 2.10.
module checks
  implicit none
  integer :: failures = 0
contains
  subroutine check(is_right, what)
    logical, intent(in) :: is_right
    character(*), intent(in) :: what
    if (is_right) return
    failures = failures + 1
    print '(a,i0,2a)', 'image ', this_image(), ' failed: ', what
  end subroutine

  pure function larger(a, b) result(c)
    integer, intent(in) :: a, b
    integer :: c
    c = max(a, b)
  end function
end module

program calls
  use checks
  use, intrinsic :: iso_fortran_env
  implicit none
  integer :: me, images, next, previous
  integer :: scalar[*]
  integer :: cells(6, 6)[*]
  integer, allocatable :: row(:)[:]

  me = this_image()
  images = num_images()
  next = merge(1, me + 1, me == images)
  previous = merge(images, me - 1, me == 1)

  call transfers()
  call components()
  call synchronisation()
  call locks_and_critical()
  call events()
  call atomics()
  call collectives()
  call ends()

contains

  subroutine transfers()
    integer :: i, got(6), block(2, 2), position(3)

    scalar = 10 * me
    cells = reshape([(100 * me + i, i=1, 36)], [6, 6])
    sync all
    call check(scalar[next] == 10 * next, 'get of a scalar')
    got = cells(:, 2)[next]
    call check(all(got == [(100 * next + i, i=7, 12)]), 'get of a column')
    got = cells(3, :)[next]
    call check(all(got == [(100 * next + i, i=3, 36, 6)]), 'get of a row')
    block = cells(2:4:2, 1:5:4)[next]
    call check(all(block == 100 * next + reshape([2, 4, 26, 28], [2, 2])), 'get with strides')
    position = [5, 1, 3]
    got(1:3) = cells(position, 1)[next]
    call check(all(got(1:3) == 100 * next + position), 'get with a vector subscript')
    sync all

    scalar[next] = me
    cells(:, 1)[next] = me
    cells(2, 2:6)[next] = [(1000 * me + i, i=2, 6)]
    cells(4:6:2, 3:5:2)[next] = -me
    sync all
    call check(scalar == previous, 'put of a scalar')
    call check(all(cells(:, 1) == previous), 'put of a column')
    call check(all(cells(2, 2:6) == [(1000 * previous + i, i=2, 6)]), 'put of a row')
    call check(all(cells(4:6:2, 3:5:2) == -previous), 'put with strides')
    sync all

    ! From one image to another, by a third.
    scalar = me
    cells(:, 6) = me
    sync all
    if (me == 1) cells(:, 5)[images] = cells(:, 6)[next]
    sync all
    if (me == images) call check(all(cells(:, 5) == 2), 'copy between images')

    allocate (row(4)[*])
    row = me
    sync all
    call check(all(row(:)[next] == next), 'get from an allocated coarray')
    deallocate (row)
  end subroutine

  ! Components that are allocated on each image by itself, with a size of its own.
  subroutine components()
    type :: field
      integer :: size = 0
      integer, allocatable :: values(:)
    end type
    type(field), save :: mine[*]
    integer :: i, one
    integer, allocatable :: got(:)

    mine%size = me + 2
    allocate (mine%values(mine%size))
    mine%values = [(100 * me + i, i=1, mine%size)]
    sync all
    call check(mine[next]%size == next + 2, 'get of a component')
    got = mine[next]%values(1:3)
    call check(all(got == [(100 * next + i, i=1, 3)]), 'get of an allocated component')
    one = mine[next]%values(2)
    call check(one == 100 * next + 2, 'get of an element of an allocated component')
    call check(allocated(mine[next]%values), 'allocated of another image')
    sync all
    mine[next]%values(2:3) = [-me, -me]
    mine[next]%values(1) = me
    sync all
    call check(all(mine%values(1:3) == [previous, -previous, -previous]), &
        'put of an allocated component')
    sync all
    deallocate (mine%values)
    sync all
  end subroutine

  subroutine synchronisation()
    integer :: status
    character(80) :: message

    sync all
    sync all (stat=status, errmsg=message)
    call check(status == 0, 'sync all with stat')
    scalar = 7 * me
    if (images > 1) then
      if (next == previous) then
        sync images (next)
      else
        sync images ([next, previous])
      end if
    end if
    call check(scalar[next] == 7 * next, 'sync images with neighbours')
    sync images (*)
    if (me == 1) then
      sync images (*)
    else
      sync images (1)
    end if
    sync memory
    sync all
  end subroutine

  subroutine locks_and_critical()
    type(lock_type), save :: lock_of[*]
    integer, save :: counter[*]
    integer, save :: entered[*]
    integer :: i, status
    logical :: acquired

    counter = 0
    entered = 0
    sync all
    do i = 1, 3
      lock (lock_of[1])
      counter[1] = counter[1] + 1
      unlock (lock_of[1])
      critical
        entered[1] = entered[1] + 1
      end critical
    end do
    ! The next image's lock may be image 1's.
    sync all
    lock (lock_of[next], acquired_lock=acquired)
    call check(acquired, 'a lock that nobody else wants')
    if (acquired) unlock (lock_of[next], stat=status)
    sync all
    if (me == 1) call check(counter == 3 * images, 'lock')
    if (me == 1) call check(entered == 3 * images, 'critical')
    sync all
  end subroutine

  subroutine events()
    type(event_type), save :: filled[*]
    type(event_type), save :: several(3)[*]
    integer :: count

    event post (filled[next])
    event wait (filled)
    call event_query(filled, count)
    call check(count == 0, 'event query after the wait')
    event post (several(2)[next])
    event post (several(2)[next])
    event wait (several(2), until_count=2)
    event post (filled)
    event wait (filled)
    sync all
  end subroutine

  ! Not checked: the old value of atomic_fetch_add, which OpenCoarrays does not always deliver; not
  ! called: atomic_or and atomic_xor, which it does not have.
  subroutine atomics()
    integer(atomic_int_kind), save :: tally[*]
    integer(atomic_int_kind) :: value, old

    call atomic_define(tally, 0)
    sync all
    call atomic_add(tally[1], me)
    sync all
    call atomic_ref(value, tally[1])
    call check(value == images * (images + 1) / 2, 'atomic_add')
    sync all
    call atomic_define(tally, 7)
    sync all
    call atomic_and(tally[next], 3)
    sync all
    call check(tally == 3, 'atomic_and')
    call atomic_fetch_add(tally[next], 0, old)
    sync all
    call atomic_cas(tally[next], old, 3, 9)
    call check(old == 3, 'atomic_cas')
    sync all
    call check(tally == 9, 'what atomic_cas has set')
    sync all
  end subroutine

  subroutine collectives()
    integer :: i, values(5), sum, root
    real(real64) :: numbers(3)
    character(4) :: word

    values = me
    call co_sum(values)
    call check(all(values == images * (images + 1) / 2), 'co_sum')
    sum = me
    call co_sum(sum, result_image=images)
    if (me == images) call check(sum == images * (images + 1) / 2, 'co_sum to one image')
    numbers = [(real(me * i, real64), i=1, 3)]
    call co_max(numbers)
    call check(all(numbers == images * [1, 2, 3]), 'co_max')
    sum = me
    call co_min(sum, result_image=1)
    if (me == 1) call check(sum == 1, 'co_min')
    values = [(me * i, i=1, 5)]
    root = images
    call co_broadcast(values, source_image=root)
    call check(all(values == [(images * i, i=1, 5)]), 'co_broadcast')
    word = merge('good', 'bad ', me == 1)
    call co_broadcast(word, source_image=1)
    call check(word == 'good', 'co_broadcast of a string')
    sum = me
    call co_reduce(sum, larger)
    call check(sum == images, 'co_reduce')
  end subroutine

  subroutine ends()
    integer, save :: all_failures[*]

    all_failures = failures
    sync all
    if (me == 1) then
      do next = 2, images
        failures = failures + all_failures[next]
      end do
      if (failures > 0) error stop 'calls failed'
      print '(a)', 'calls: verified'
    end if
  end subroutine
end program
