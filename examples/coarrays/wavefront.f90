! A table in which each element depends on those above and to the left (the longest common
! subsequence of two texts), divided by columns. An image computes a block of rows, puts its last
! column into the halo of the image to the right, and posts an event, which that image waits for:
! the images form a pipeline.
!
!   wavefront [SIZE [BLOCK [REPEATS]]]
program wavefront
  use, intrinsic :: iso_fortran_env, only: event_type, int64
  implicit none
  integer :: size_of_table, block_rows, repeats
  integer :: me, images, first, last, repetition, i
  ! Column 0 is the left neighbour's last one.
  integer, allocatable :: table(:, :)
  integer, allocatable :: letters(:, :)
  integer, allocatable :: halo(:)[:]
  type(event_type), save :: halo_filled[*], halo_read[*]

  size_of_table = argument(1, 1024)
  block_rows = argument(2, 64)
  repeats = argument(3, 10)
  me = this_image()
  images = num_images()
  first = 1 + (me - 1) * size_of_table / images
  last = me * size_of_table / images

  letters = reshape([(letter(1, i), i=1, size_of_table), (letter(2, i), i=1, size_of_table)], &
      [size_of_table, 2])
  allocate (halo(0:size_of_table)[*])
  allocate (table(0:size_of_table, first - 1:last))
  do repetition = 1, repeats
    call sweep(repetition)
  end do
  call verify()

contains

  integer function argument(number, default)
    integer, intent(in) :: number, default
    character(20) :: text
    argument = default
    if (number > command_argument_count()) return
    call get_command_argument(number, text)
    read (text, *) argument
  end function

  ! Letters of two texts, the same on all images.
  pure integer function letter(text, position)
    integer, intent(in) :: text, position
    letter = mod(position * (37 + 8 * text) + position * position / 3, 11 + text)
  end function

  subroutine fill(part, from_row, to_row, from, to)
    integer, intent(in) :: from_row, to_row, from, to
    integer, intent(inout) :: part(0:, from - 1:)
    integer :: row, column
    do column = from, to
      do row = from_row, to_row
        if (letters(row, 1) == letters(column, 2)) then
          part(row, column) = part(row - 1, column - 1) + 1
        else
          part(row, column) = max(part(row - 1, column), part(row, column - 1))
        end if
      end do
    end do
  end subroutine

  subroutine sweep(repetition)
    integer, intent(in) :: repetition
    integer :: row, end_row
    table(0, :) = 0
    table(:, first - 1) = 0
    ! The image to the right has read all of the sweep before.
    if (me < images .and. repetition > 1) event wait (halo_read)
    do row = 1, size_of_table, block_rows
      end_row = min(row + block_rows - 1, size_of_table)
      if (me > 1) then
        event wait (halo_filled)
        table(row:end_row, first - 1) = halo(row:end_row)
      end if
      call fill(table, row, end_row, first, last)
      if (me < images) then
        halo(row:end_row)[me + 1] = table(row:end_row, last)
        event post (halo_filled[me + 1])
      end if
    end do
    if (me > 1 .and. repetition < repeats) event post (halo_read[me - 1])
  end subroutine

  ! Against the same by one image alone.
  subroutine verify()
    integer, allocatable :: whole(:, :)
    integer :: wrong
    integer(int64) :: result
    allocate (whole(0:size_of_table, 0:size_of_table))
    whole(0, :) = 0
    whole(:, 0) = 0
    call fill(whole, 1, size_of_table, 1, size_of_table)
    wrong = count(table /= whole(:, first - 1:last))
    call co_sum(wrong)
    if (wrong > 0) error stop 'wavefront: wrong'
    result = checksum(reshape(table(1:, first:), [size_of_table * (last - first + 1)]))
    if (me == 1) print '(a,i0,a,z0)', 'wavefront: verified, length ', &
        whole(size_of_table, size_of_table), ', checksum ', result
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
