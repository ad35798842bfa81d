/* UPC over MPI, with an object that calls MPI itself. */
#include <stdio.h>
#include <upc.h>

extern int sum_by_mpi(int mine);

shared int box[THREADS];

int main(void) {
  box[(MYTHREAD + 1) % THREADS] = MYTHREAD;
  upc_barrier;
  int sum = sum_by_mpi(box[MYTHREAD]);
  upc_barrier;
  if (MYTHREAD == 0 && sum == THREADS * (THREADS - 1) / 2) printf("all right\n");
  return 0;
}
