/* OpenSHMEM and MPI in one program: puts around the ring, sums by MPI. */
#include <mpi.h>
#include <shmem.h>
#include <stdio.h>

static long box;

int main(void) {
  MPI_Init(NULL, NULL);
  shmem_init();
  int me = shmem_my_pe(), all = shmem_n_pes();
  long sum = 0, got = 0, mine = me;
  shmem_long_p(&box, mine, (me + 1) % all);
  shmem_barrier_all();
  MPI_Allreduce(&box, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  MPI_Sendrecv(&mine, 1, MPI_LONG, (me + 1) % all, 0, &got, 1, MPI_LONG, (me + all - 1) % all, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (me == 0 && sum == all * (all - 1) / 2 && got == all - 1) printf("all right\n");
  shmem_finalize();
  int is_over; /* Open MPI's shmem_finalize ends MPI, too. */
  MPI_Finalized(&is_over);
  if (!is_over) MPI_Finalize();
  return 0;
}
