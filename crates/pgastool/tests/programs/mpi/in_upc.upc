/* UPC over MPI that calls MPI itself. */
#include <mpi.h>
#include <stdio.h>
#include <upc.h>

shared int box[THREADS];

int main(void) {
  int sum = 0;
  box[(MYTHREAD + 1) % THREADS] = MYTHREAD;
  upc_barrier;
  MPI_Allreduce((int *)&box[MYTHREAD], &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  upc_barrier;
  if (MYTHREAD == 0 && sum == THREADS * (THREADS - 1) / 2) printf("all right\n");
  return 0;
}
