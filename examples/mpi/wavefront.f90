! A table in which each element depends on those above and to the left (the longest common
! subsequence of two texts), divided by columns. A process computes a block of rows and sends its
! last column to the process to the right, which waits for it: the processes form a pipeline.
!
!   wavefront [SIZE [BLOCK [REPEATS]]]
program wavefront
  use mpi
  implicit none
  integer :: size_of_table, block_rows, repeats
  integer :: me, processes, first, last, repetition, i, error
  ! Column first - 1 is the left neighbour's last one.
  integer, allocatable :: table(:, :)
  integer, allocatable :: letters(:, :)

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, error)
  call MPI_Comm_size(MPI_COMM_WORLD, processes, error)
  size_of_table = argument(1, 1024)
  block_rows = argument(2, 64)
  repeats = argument(3, 10)
  first = 1 + me * size_of_table / processes
  last = (me + 1) * size_of_table / processes

  letters = reshape([(letter(1, i), i=1, size_of_table), (letter(2, i), i=1, size_of_table)], &
      [size_of_table, 2])
  allocate (table(0:size_of_table, first - 1:last))
  do repetition = 1, repeats
    call sweep()
  end do
  call verify()
  call MPI_Finalize(error)

contains

  integer function argument(number, default)
    integer, intent(in) :: number, default
    character(20) :: text
    argument = default
    if (number > command_argument_count()) return
    call get_command_argument(number, text)
    read (text, *) argument
  end function

  ! Letters of two texts, the same in all processes.
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

  subroutine sweep()
    integer :: row, end_row, rows
    table(0, :) = 0
    table(:, first - 1) = 0
    do row = 1, size_of_table, block_rows
      end_row = min(row + block_rows - 1, size_of_table)
      rows = end_row - row + 1
      if (me > 0) call MPI_Recv(table(row, first - 1), rows, MPI_INTEGER, me - 1, 0, &
          MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
      call fill(table, row, end_row, first, last)
      if (me < processes - 1) call MPI_Send(table(row, last), rows, MPI_INTEGER, me + 1, 0, &
          MPI_COMM_WORLD, error)
    end do
  end subroutine

  ! Against the same by one process alone.
  subroutine verify()
    integer, allocatable :: whole(:, :)
    integer :: wrong, all_wrong
    allocate (whole(0:size_of_table, 0:size_of_table))
    whole(0, :) = 0
    whole(:, 0) = 0
    call fill(whole, 1, size_of_table, 1, size_of_table)
    wrong = count(table /= whole(:, first - 1:last))
    call MPI_Allreduce(wrong, all_wrong, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    if (all_wrong > 0) then
      print '(a)', 'wavefront: wrong'
      call MPI_Abort(MPI_COMM_WORLD, 1, error)
    end if
    if (me == 0) print '(a,i0)', 'wavefront: verified, length ', whole(size_of_table, size_of_table)
  end subroutine
end program
