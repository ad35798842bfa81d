! Transposition of a matrix that is divided by columns: each image gets a block from each other one,
! and turns it round.
!
!   transpose [SIZE [REPEATS]]
!
! SIZE is rounded up to a multiple of the number of images.
program transposition
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  integer :: size_of_matrix, repeats, me, images, columns, repetition, i
  real(real64), allocatable :: matrix(:, :)[:], transposed(:, :)[:]

  me = this_image()
  images = num_images()
  columns = (argument(1, 512) + images - 1) / images
  size_of_matrix = columns * images
  repeats = argument(2, 10)
  allocate (matrix(size_of_matrix, columns)[*], transposed(size_of_matrix, columns)[*])
  do i = 1, columns
    call number(matrix(:, i), (me - 1) * columns + i)
  end do
  do repetition = 1, repeats
    sync all
    call transpose_blocks()
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

  ! The element of a row and column is their place in the whole matrix.
  subroutine number(elements, column)
    real(real64), intent(out) :: elements(:)
    integer, intent(in) :: column
    integer :: row
    do row = 1, size(elements)
      elements(row) = real(row, real64) * size_of_matrix + column
    end do
  end subroutine

  ! Each image begins with a block of another one.
  subroutine transpose_blocks()
    real(real64) :: block(columns, columns)
    integer :: step, other
    do step = 0, images - 1
      other = 1 + mod(me - 1 + step, images)
      block = matrix((me - 1) * columns + 1:me * columns, :)[other]
      transposed((other - 1) * columns + 1:other * columns, :) = transpose(block)
    end do
  end subroutine

  subroutine verify()
    integer :: row, column, wrong
    integer(int64) :: result
    wrong = 0
    do column = 1, columns
      do row = 1, size_of_matrix
        if (transposed(row, column) &
            /= real((me - 1) * columns + column, real64) * size_of_matrix + row) wrong = wrong + 1
      end do
    end do
    call co_sum(wrong)
    if (wrong > 0) error stop 'transpose: wrong'
    result = checksum(transposed)
    if (me == 1) print '(a,z0)', 'transpose: verified, checksum ', result
  end subroutine

  ! Of every bit of the numbers of all images, in their order on each of them.
  integer(int64) function checksum(numbers)
    real(real64), intent(in) :: numbers(:, :)
    integer(int64), parameter :: low = 4294967295_int64
    integer :: i, j
    checksum = 0
    do j = 1, size(numbers, 2)
      do i = 1, size(numbers, 1)
        checksum = ieor(ishftc(checksum, 7), transfer(numbers(i, j), 0_int64))
      end do
    end do
    checksum = iand(ieor(checksum, ishft(checksum, -32)), low) * me
    call co_sum(checksum)
  end function
end program
