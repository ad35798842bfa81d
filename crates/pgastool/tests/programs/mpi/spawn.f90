! Four processes create two more of this program, one of which sends a number.
program spawn
  use mpi
  implicit none
  integer :: me, got, error, parent, children
  character(len=500) :: itself

  call MPI_Init(error)
  call MPI_Comm_get_parent(parent, error)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, error)
  if (parent == MPI_COMM_NULL) then
    call get_command_argument(0, itself)
    call MPI_Comm_spawn(itself, MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, children, &
        MPI_ERRCODES_IGNORE, error)
    if (me == 0) then
      call MPI_Recv(got, 1, MPI_INTEGER, 1, 0, children, MPI_STATUS_IGNORE, error)
      if (got == 42) print '(a)', 'all right'
    end if
    call MPI_Comm_disconnect(children, error)
  else
    if (me == 1) call MPI_Send(42, 1, MPI_INTEGER, 0, 0, parent, error)
    call MPI_Comm_disconnect(parent, error)
  end if
  call MPI_Finalize(error)
end program
