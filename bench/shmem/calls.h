/* Times blocks of calls, and keeps the best. */
#ifndef BENCH_SHMEM_CALLS_H
#define BENCH_SHMEM_CALLS_H

#include <stdio.h>
#include <time.h>

static double now(clockid_t clock) {
  struct timespec t;

  clock_gettime(clock, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* Prints the name and the nanoseconds of a call by that clock in the best of `blocks` blocks. */
#define BEST_OF(blocks, calls, clock, name, is_printed, CALL)             \
  do {                                                                    \
    double best = 1e30;                                                   \
    for (int block = 0; block < (blocks); block++) {                      \
      double begin = now(clock);                                          \
      for (int call = 0; call < (calls); call++) CALL;                    \
      double each = (now(clock) - begin) / (calls);                       \
      if (each < best) best = each;                                       \
    }                                                                     \
    if (is_printed) printf("%s\t%.3f\n", name, best), fflush(stdout);     \
  } while (0)

#endif
