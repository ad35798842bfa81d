/* Operations of known length: nothing, and waits. */
#define _GNU_SOURCE
#include <time.h>

#include "patterns.h"

/* CLOCK_MONOTONIC_RAW is none of the timers that are on trial. */
static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC_RAW, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void do_nothing(void *state, long launch) { (void)state, (void)launch; }

static void *keep_case(const pgas_case *with) { return (void *)with; }

static void wait_up(void *state, long launch) {
  const pgas_case *with = state;
  (void)launch;
  double end = now() + 1e-6 * (with->thread + 1);
  while (now() < end) {
  }
}

static const pgas_operation nothing = {
    .name = "null", .help = "nothing", .independent = 1, .run = do_nothing};

static const pgas_operation wait_pattern_up = {.name = "wait_pattern_up",
                                               .help = "thread i waits for i + 1 microseconds",
                                               .independent = 1,
                                               .prepare = keep_case,
                                               .run = wait_up};

const pgas_operation *const pgas_pattern_table[] = {&nothing, &wait_pattern_up, NULL};

const pgas_operation *const *pgas_patterns(void) { return pgas_pattern_table; }
