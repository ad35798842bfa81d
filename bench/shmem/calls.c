/* Single calls of OpenSHMEM: nanoseconds of CPU time, and of barriers nanoseconds that pass.
 *
 * The words lie in the symmetric heap, which PEs of one node map, each in cache lines of its own. A
 * static variable would be reached by messages that the other PE, in its barrier, takes from a
 * queue: how long a call takes is up to the fill of that queue then, and recording, which gives the
 * other PE time, makes calls seem to cost more or less than they do.
 *
 *     calls BLOCKS CALLS
 *     name <tab> nanoseconds of a call, of PE 0, in the best block
 */
#include <shmem.h>
#include <stdlib.h>

#include "calls.h"

/* Bytes that no other data of a PE shares a cache line with. */
enum { APART = 256 };

int main(int argc, char **argv) {
  int blocks = argc > 1 ? atoi(argv[1]) : 10, calls = argc > 2 ? atoi(argv[2]) : 1000;
  long fetched = 0, source = 1;

  shmem_init();
  char *words = shmem_align(APART, 2 * APART);
  if (!words) return 1;
  long *word = (long *)words, *counter = (long *)(words + APART);
  *word = *counter = 0;
  int other = (shmem_my_pe() + 1) % shmem_n_pes(), is_first = shmem_my_pe() == 0;
  clockid_t cpu = CLOCK_THREAD_CPUTIME_ID;
  shmem_barrier_all();
  if (is_first) {
    BEST_OF(blocks, calls, cpu, "put of 8 bytes", 1, shmem_long_put(word, &source, 1, other));
    BEST_OF(blocks, calls, cpu, "single put", 1, shmem_long_p(word, call, other));
    BEST_OF(blocks, calls, cpu, "get of 8 bytes", 1, shmem_long_get(&fetched, word, 1, other));
    BEST_OF(blocks, calls, cpu, "single get", 1, fetched += shmem_long_g(word, other));
    BEST_OF(blocks, calls, cpu, "atomic add", 1, shmem_long_atomic_add(counter, 1, other));
  }
  shmem_barrier_all();
  BEST_OF(blocks, calls / 10, CLOCK_MONOTONIC, "barrier", is_first, shmem_barrier_all());
  shmem_free(words);
  shmem_finalize();
  return fetched == 77;
}
