/* The part of a UPC program that calls MPI. */
#include <mpi.h>

int sum_by_mpi(int mine);

int sum_by_mpi(int mine) {
  int sum = 0, rank, processes, got;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % processes, 0, &got, 1, MPI_INT,
               (rank + processes - 1) % processes, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return got == (rank + processes - 1) % processes ? sum : -1;
}
