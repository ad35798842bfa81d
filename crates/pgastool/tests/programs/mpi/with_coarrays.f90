! Coarrays and MPI in one program: puts around the ring, sums by MPI.
program with_coarrays
  use mpi
  implicit none
  integer :: box[*]
  integer :: total, got, error, me, images
  me = this_image()
  images = num_images()
  box[mod(me, images) + 1] = me
  sync all
  call MPI_Allreduce(box, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  call MPI_Sendrecv(me, 1, MPI_INTEGER, mod(me, images), 0, got, 1, MPI_INTEGER, &
      mod(me + images - 2, images), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  if (me == 1 .and. total == images * (images + 1) / 2 .and. got == images) print '(a)', 'all right'
  sync all
end program
