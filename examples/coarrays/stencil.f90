! Jacobi iteration on a square grid, divided by columns. Neighbours put their border columns into
! each other's halo, and wait for each other alone (sync images).
!
!   stencil [SIZE [STEPS [EXTRA]]]
!
! Image 1 does each of its columns 1 + EXTRA times: a load imbalance, 0 without it.
program stencil
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  integer :: size_of_grid, steps, extra
  integer :: me, images, first, last, step
  integer, allocatable :: neighbours(:)
  ! The own columns, and those of the neighbours beside them.
  real(real64), allocatable :: grid(:, :)[:]
  real(real64), allocatable :: next(:, :)

  size_of_grid = argument(1, 512)
  steps = argument(2, 100)
  extra = argument(3, 0)
  me = this_image()
  images = num_images()
  first = first_column(me)
  last = first_column(me + 1) - 1
  neighbours = pack([me - 1, me + 1], [me > 1, me < images])

  allocate (grid(size_of_grid, 0:(size_of_grid + images - 1) / images + 1)[*])
  call set(grid, first - 1)
  next = grid
  sync all
  do step = 1, steps
    call exchange()
    call relax(grid, next, first, last)
    ! Nobody may put into a halo that is still read.
    sync images (neighbours)
    grid(:, 1:last - first + 1) = next(:, 1:last - first + 1)
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

  pure integer function first_column(image)
    integer, intent(in) :: image
    first_column = 1 + (image - 1) * size_of_grid / images
  end function

  pure real(real64) function initial(row, column)
    integer, intent(in) :: row, column
    initial = 0
    if (column == size_of_grid) initial = 2
    if (column == 1) initial = 1
    if (row == 1 .and. column > 1) initial = 3
  end function

  ! Column 1 of the array is column `before` + 1 of the grid; the array begins with column 0.
  subroutine set(columns, before)
    real(real64), intent(out) :: columns(:, 0:)
    integer, intent(in) :: before
    integer :: row, column
    do column = 0, ubound(columns, 2)
      do row = 1, size_of_grid
        columns(row, column) = initial(row, before + column)
      end do
    end do
  end subroutine

  subroutine exchange()
    integer :: columns
    columns = last - first + 1
    if (me > 1) grid(:, first - first_column(me - 1) + 1)[me - 1] = grid(:, 1)
    if (me < images) grid(:, 0)[me + 1] = grid(:, columns)
    sync images (neighbours)
  end subroutine

  subroutine relax(old, new, from, to)
    real(real64), intent(in) :: old(:, 0:)
    real(real64), intent(inout) :: new(:, 0:)
    integer, intent(in) :: from, to
    integer :: column, row, here, again
    do column = max(from, 2), min(to, size_of_grid - 1)
      here = column - from + 1
      do again = 0, merge(extra, 0, me == 1)
        do row = 2, size_of_grid - 1
          new(row, here) = 0.25_real64 &
              * (old(row - 1, here) + old(row + 1, here) + old(row, here - 1) + old(row, here + 1))
        end do
      end do
    end do
  end subroutine

  ! Against the same by one image alone.
  subroutine verify()
    real(real64), allocatable :: old(:, :), new(:, :)
    logical :: is_right
    integer :: wrong
    integer(int64) :: result
    allocate (old(size_of_grid, 0:size_of_grid + 1))
    call set(old, 0)
    new = old
    extra = 0
    do step = 1, steps
      call relax(old, new, 1, size_of_grid)
      old = new
    end do
    is_right = all(grid(:, 1:last - first + 1) == old(:, first:last))
    wrong = merge(0, 1, is_right)
    call co_sum(wrong)
    if (wrong > 0) error stop 'stencil: wrong'
    result = checksum(grid(:, 1:last - first + 1))
    if (me == 1) print '(a,z0)', 'stencil: verified, checksum ', result
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
