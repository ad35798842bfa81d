! Odd processes send to their neighbours, with counts of more than 32 bits.
program large_counts
  use mpi_f08
  implicit none
  integer :: me
  integer(MPI_COUNT_KIND) :: count = 3
  double precision :: values(3) = 0
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, me)
  if (mod(me, 2) == 1) then
    call MPI_Send(values + me, count, MPI_DOUBLE_PRECISION, me - 1, 0, MPI_COMM_WORLD)
  else
    call MPI_Recv(values, count, MPI_DOUBLE_PRECISION, me + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    if (any(values /= me + 1)) call MPI_Abort(MPI_COMM_WORLD, 1)
  end if
  call MPI_Barrier(MPI_COMM_WORLD)
  if (me == 0) print '(a)', 'all right'
  call MPI_Finalize()
end program
