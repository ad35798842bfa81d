/* The clock of upc_tick.h: nanoseconds of the system's monotonic clock, the same for all threads.
 */
#include <time.h>

#include "runtime.h"

UPCR_LIBRARY uint64_t upc_ticks_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
UPCR_LIBRARY uint64_t upc_ticks_to_ns(uint64_t ticks) { return ticks; }
