/* The clock of upc_tick.h: nanoseconds of the system's monotonic clock, the same for all threads. */
#include <time.h>

#include "runtime.h"

UPCR_LIBRARY unsigned long long upc_ticks_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (unsigned long long)t.tv_sec * 1000000000ull + (unsigned long long)t.tv_nsec;
}
UPCR_LIBRARY unsigned long long upc_ticks_to_ns(unsigned long long ticks) { return ticks; }
