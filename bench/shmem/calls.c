/* Single calls of OpenSHMEM: nanoseconds of CPU time, and of barriers nanoseconds that pass.
 *
 *     calls BLOCKS CALLS
 *     name <tab> nanoseconds of a call, of PE 0, in the best block
 */
#include <shmem.h>
#include <stdlib.h>

#include "calls.h"

static long word, source = 1, counter;

int main(int argc, char **argv) {
  int blocks = argc > 1 ? atoi(argv[1]) : 10, calls = argc > 2 ? atoi(argv[2]) : 1000;
  long fetched = 0;

  shmem_init();
  int other = (shmem_my_pe() + 1) % shmem_n_pes(), is_first = shmem_my_pe() == 0;
  clockid_t cpu = CLOCK_THREAD_CPUTIME_ID;
  shmem_barrier_all();
  if (is_first) {
    BEST_OF(blocks, calls, cpu, "put of 8 bytes", 1, shmem_long_put(&word, &source, 1, other));
    BEST_OF(blocks, calls, cpu, "single put", 1, shmem_long_p(&word, call, other));
    BEST_OF(blocks, calls, cpu, "get of 8 bytes", 1, shmem_long_get(&fetched, &word, 1, other));
    BEST_OF(blocks, calls, cpu, "single get", 1, fetched += shmem_long_g(&word, other));
    BEST_OF(blocks, calls, cpu, "atomic add", 1, shmem_long_atomic_add(&counter, 1, other));
  }
  shmem_barrier_all();
  BEST_OF(blocks, calls / 10, CLOCK_MONOTONIC, "barrier", is_first, shmem_barrier_all());
  shmem_finalize();
  return fetched == 77;
}
