! Calls from Fortran by four processes, with mpi_f08 or mpi as the preprocessor is told.
program calls
#ifdef F08
  use mpi_f08
#else
  use mpi
#endif
  implicit none
  integer :: me, before, next, error, total, provided
  integer :: all(0:3)
  double precision :: in(8), out(3)
#ifdef F08
  type(MPI_Comm) :: half
  type(MPI_Status) :: status
  type(MPI_Request) :: requests(2)
#else
  integer :: half, status(MPI_STATUS_SIZE), requests(2)
#endif
  character(len=MPI_MAX_OBJECT_NAME) :: name
  integer :: length

  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, error)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, error)
  next = mod(me + 1, 4)
  before = mod(me + 3, 4)
  out = [1d0 * me, me + 0.5d0, 2d0 * me]
  call MPI_Irecv(in, 8, MPI_DOUBLE_PRECISION, before, 1, MPI_COMM_WORLD, requests(1), error)
  call MPI_Isend(out, 3, MPI_DOUBLE_PRECISION, next, 1, MPI_COMM_WORLD, requests(2), error)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
  call demand(in(2) == before + 0.5d0)
  if (me == 0) call MPI_Send(out, 3, MPI_DOUBLE_PRECISION, 1, 2, MPI_COMM_WORLD, error)
  if (me == 1) call MPI_Recv(in, 8, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &
      MPI_STATUS_IGNORE, error)
  if (me == 0) call MPI_Send(out, 2, MPI_DOUBLE_PRECISION, 1, 3, MPI_COMM_WORLD, error)
  if (me == 1) call MPI_Recv(in, 8, MPI_DOUBLE_PRECISION, 0, 3, MPI_COMM_WORLD, status, error)
  call MPI_Barrier(MPI_COMM_WORLD, error)
  call MPI_Allreduce(me, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  call demand(total == 6)
  all(me) = me
  call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INTEGER, MPI_COMM_WORLD, error)
  call demand(all(3) == 3)
  call MPI_Comm_split(MPI_COMM_WORLD, mod(me, 2), me, half, error)
  total = me
  call MPI_Bcast(total, 1, MPI_INTEGER, 1, half, error)
  call demand(total == 2 + mod(me, 2))
  call MPI_Comm_set_name(half, 'half', error)
  call MPI_Comm_get_name(half, name, length, error)
  call demand(name == 'half')
  call MPI_Comm_free(half, error)
  if (me == 0) print '(a)', 'all right'
  call MPI_Finalize(error)

contains

  subroutine demand(is_right)
    logical, intent(in) :: is_right
    if (is_right) return
    print '(a,i0)', 'wrong in process ', me
    call MPI_Abort(MPI_COMM_WORLD, 1, error)
  end subroutine
end program
