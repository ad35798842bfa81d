/* Round trips of 8 bytes between two MPI processes, in ns each. */
#include <mpi.h>
#include <stdio.h>

enum { WARM_UP = 100, TRIPS = 10000 };

static void trip(int rank) {
  long number = 0;
  if (rank == 0) MPI_Send(&number, 1, MPI_LONG, 1, 0, MPI_COMM_WORLD);
  MPI_Recv(&number, 1, MPI_LONG, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Send(&number, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < WARM_UP; i++) trip(rank);
  double begin = MPI_Wtime();
  for (int i = 0; i < TRIPS; i++) trip(rank);
  double end = MPI_Wtime();
  if (rank == 0) printf("%.3f\n", (end - begin) / TRIPS * 1e9);
  MPI_Finalize();
  return 0;
}
