/* The smaller functions of Berkeley UPC: its clock, pointers-to-shared in words, giving way, and
 * control of its own tracing, which does not exist here. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "upcr_bupc_pointers.h"
#include "runtime.h"

/* ---- bupc_timers.h; ticks are those of upc_tick.h ---- */

UPCR_LIBRARY uint64_t bupc_ticks_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
UPCR_LIBRARY uint64_t bupc_ticks_to_ns(uint64_t ticks) { return ticks; }
UPCR_LIBRARY uint64_t bupc_ticks_to_us(uint64_t ticks) { return ticks / 1000; }

UPCR_LIBRARY double bupc_tick_granularity(void) {
  struct timespec t;
  clock_getres(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* The least that a call has taken. */
UPCR_LIBRARY double bupc_tick_overhead(void) {
  enum { CALLS = 100, ROUNDS = 10 };
  static double overhead;
  for (int round = 0; overhead == 0 || round < ROUNDS; round++) {
    uint64_t before = bupc_ticks_now();
    for (int i = 1; i < CALLS; i++) bupc_ticks_now();
    double each = (double)(bupc_ticks_now() - before) / CALLS / 1e3;
    if (overhead == 0 || (each > 0 && each < overhead)) overhead = each;
  }
  return overhead;
}

UPCR_LIBRARY double bupc_tick_granularityus(void) { return bupc_tick_granularity(); }
UPCR_LIBRARY double bupc_tick_overheadus(void) { return bupc_tick_overhead(); }

/* ---- bupc_pointers.h ---- */

UPCR_LIBRARY int bupc_dump_shared(upcr_pts p, char *text, int size) {
  if (text == NULL || size < BUPC_DUMP_MIN_LENGTH) {
    errno = EINVAL;
    return -1;
  }
  if (p.addr == 0) snprintf(text, (size_t)size, "<NULL>");
  else
    snprintf(text, (size_t)size, "<address=0x%lx (addrfield=0x%lx), thread=%d, phase=%lu>", p.addr,
             p.addr & UPCR_OFFSET_MASK, upcr_thread_of(p.addr), p.phase);
  return 0;
}

/* ---- bupc_extensions.h ---- */

/* A fence, and a thread that waits in a loop lets others run where they share its core. */
UPCR_LIBRARY void upc_poll(void) {
  upcr_fence(NULL, 0);
  if (upcr_spins == 0) upcr_let_others_run();
}
UPCR_LIBRARY void bupc_poll(void) { upc_poll(); }

UPCR_LIBRARY void bupc_exit(int status) { exit(status); }
UPCR_LIBRARY char *bupc_getenv(const char *name) { return getenv(name); }

static int trace_local = 1;
UPCR_LIBRARY void bupc_trace_settracelocal(int on) { trace_local = on != 0; }
UPCR_LIBRARY int bupc_trace_gettracelocal(void) { return trace_local; }
UPCR_LIBRARY void bupc_trace_setmask(const char *mask) { (void)mask; }
UPCR_LIBRARY const char *bupc_trace_getmask(void) { return ""; }
UPCR_LIBRARY void bupc_stats_setmask(const char *mask) { (void)mask; }
UPCR_LIBRARY const char *bupc_stats_getmask(void) { return ""; }
