/*
 * Operations of all processes, by MPI: the references of together.upc. Collectives have a barrier
 * after each.
 */
#include <mpi.h>

#include "figures.h"

#define CALLS 5

static long value, sum;

static void barriers(void) {
  for (int i = 0; i < CALLS; i++) MPI_Barrier(MPI_COMM_WORLD);
}

static void broadcasts(void) {
  for (int i = 0; i < CALLS; i++) {
    MPI_Bcast(&value, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

static void reductions(void) {
  for (int i = 0; i < CALLS; i++) {
    MPI_Reduce(&value, &sum, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

int main(int count, char **arguments) {
  int rank;
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  struct time barrier = time_of(barriers, CALLS, REPETITIONS);
  struct time broadcast = time_of(broadcasts, CALLS, REPETITIONS);
  struct time reduction = time_of(reductions, CALLS, REPETITIONS);
  if (rank == 0) {
    print_figure("barrier", barrier.median);
    print_figure("barrier, mean", barrier.mean);
    print_figure("broadcast", broadcast.median);
    print_figure("reduction", reduction.median);
  }
  MPI_Finalize();
  return 0;
}
