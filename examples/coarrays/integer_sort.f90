! Sorting of integers by buckets: each image has random keys, counts how many of them each image is
! to get, reserves room there by an atomic addition, puts them, and sorts what it got.
!
!   integer_sort [KEYS_PER_IMAGE [ROUNDS]]
program integer_sort
  use, intrinsic :: iso_fortran_env, only: atomic_int_kind, int64
  implicit none
  integer, parameter :: largest = 2**20
  integer :: keys_per_image, rounds, me, images, round, room
  integer, allocatable :: keys(:), sorted(:)
  integer, allocatable :: received(:)[:]
  integer, allocatable :: places(:, :)[:]
  integer(int64) :: result
  integer(atomic_int_kind), save :: filled[*]

  keys_per_image = argument(1, 100000)
  rounds = argument(2, 5)
  me = this_image()
  images = num_images()
  room = 2 * keys_per_image + 1000
  allocate (keys(keys_per_image))
  allocate (received(room)[*])
  allocate (places(2, images)[*])
  do round = 1, rounds
    call make_keys(round)
    call distribute()
    sorted = received(1:filled)
    call sort(sorted)
    call verify()
  end do
  result = checksum(sorted)
  if (me == 1) print '(a,z0)', 'integer_sort: verified, checksum ', result

contains

  integer function argument(number, default)
    integer, intent(in) :: number, default
    character(20) :: text
    argument = default
    if (number > command_argument_count()) return
    call get_command_argument(number, text)
    read (text, *) argument
  end function

  ! A sequence of its own for each image and round.
  subroutine make_keys(round)
    integer, intent(in) :: round
    integer(int64) :: state
    integer :: i
    state = 1000003_int64 * (round * images + me)
    do i = 1, keys_per_image
      state = mod(state * 16807_int64, 2147483647_int64)
      keys(i) = int(mod(state, int(largest, int64)))
    end do
  end subroutine

  ! The image that gets a key.
  pure integer function image_of(key)
    integer, intent(in) :: key
    image_of = 1 + int(int(key, int64) * images / largest)
  end function

  subroutine distribute()
    integer, allocatable :: ordered(:)
    integer :: counts(images), next(images), i, step, other, to
    counts = 0
    do i = 1, keys_per_image
      other = image_of(keys(i))
      counts(other) = counts(other) + 1
    end do
    next = [(sum(counts(1:i - 1)) + 1, i=1, images)]
    allocate (ordered(keys_per_image))
    do i = 1, keys_per_image
      other = image_of(keys(i))
      ordered(next(other)) = keys(i)
      next(other) = next(other) + 1
    end do

    call atomic_define(filled, 0)
    sync all
    do step = 0, images - 1
      other = 1 + mod(me - 1 + step, images)
      to = reserve(other, counts(other))
      if (to + counts(other) > room) error stop 'integer_sort: no room'
      if (counts(other) > 0) &
          received(to + 1:to + counts(other))[other] &
          = ordered(next(other) - counts(other):next(other) - 1)
    end do
    sync all
  end subroutine

  ! Room for this many keys on an image; how many are there before.
  integer function reserve(image, number)
    integer, intent(in) :: image, number
    integer(atomic_int_kind) :: before, now, expected
    call atomic_ref(now, filled[image])
    do
      expected = now
      call atomic_cas(filled[image], before, expected, expected + number)
      if (before == expected) exit
      now = before
    end do
    reserve = before
  end function

  subroutine sort(values)
    integer, intent(inout) :: values(:)
    integer :: i, key, position
    integer, allocatable :: counts(:)
    allocate (counts(0:largest), source=0)
    do i = 1, size(values)
      counts(values(i)) = counts(values(i)) + 1
    end do
    position = 1
    do key = 0, largest
      do i = 1, counts(key)
        values(position) = key
        position = position + 1
      end do
    end do
  end subroutine

  ! Each image's keys are in order and its own, and none is lost: their number and sum stay.
  subroutine verify()
    integer(int64) :: totals(2)
    integer :: wrong
    wrong = count(sorted(2:) < sorted(:size(sorted) - 1))
    if (size(sorted) > 0) then
      if (image_of(sorted(1)) /= me .or. image_of(sorted(size(sorted))) /= me) wrong = wrong + 1
    end if
    totals = [int(size(sorted) - size(keys), int64), &
        sum(int(sorted, int64)) - sum(int(keys, int64))]
    call co_sum(wrong)
    call co_sum(totals)
    if (wrong > 0 .or. any(totals /= 0)) error stop 'integer_sort: wrong'
  end subroutine

  ! Of every bit of the numbers of all images, in their order on each of them.
  integer(int64) function checksum(numbers)
    integer, intent(in) :: numbers(:)
    integer(int64), parameter :: low = 4294967295_int64
    integer :: i
    checksum = 0
    do i = 1, size(numbers)
      checksum = ieor(ishftc(checksum, 7), int(numbers(i), int64))
    end do
    checksum = iand(ieor(checksum, ishft(checksum, -32)), low) * me
    call co_sum(checksum)
  end function
end program
