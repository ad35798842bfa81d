/*
 * Cost of an event, by the way that it takes: declarations that the ways share. Each way is a file
 * that defines an Enter, an Exit, a transfer and a barrier, includes stream.h, which makes the same
 * sequences of events for all of them, and ends with a table of its functions.
 */
#ifndef COST_H
#define COST_H

#include <stdint.h>
#include <time.h>

#define COST_THREADS 4
#define COST_FILE "cost.upc"

/* The clock that the recorder chooses here, read in the way in which it reads it. -DMONOTONIC is
 * for machines on which that is the system's. */
#if defined(__x86_64__) && !defined(MONOTONIC)
#include <x86intrin.h>
#define COST_CLOCK 1 /* as the header of a stream says it */
static inline uint64_t cost_ticks(void) { return __rdtsc(); }
static inline uint64_t cost_ticks_per_second(void) {
  struct timespec from, to;
  uint64_t first, last;

  clock_gettime(CLOCK_MONOTONIC, &from);
  first = __rdtsc();
  do clock_gettime(CLOCK_MONOTONIC, &to);
  while ((to.tv_sec - from.tv_sec) * 1000000000 + to.tv_nsec - from.tv_nsec < 2000000);
  last = __rdtsc();
  return (
      uint64_t)((double)(last - first) * 1e9 /
                ((double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec)));
}
#else
#define COST_CLOCK 0
static inline uint64_t cost_ticks(void) {
  struct timespec t;

  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}
static inline uint64_t cost_ticks_per_second(void) { return 1000000000; }
#endif

/* The sequences of events; functions of a way return the number of events that they made. Messages
 * of tasks are for the recorder's own ways alone. */
enum { TINY_CALLS, MIX, ACCESSES, MESSAGES, SEQUENCES };

struct way {
  const char *name;
  /* Opens what events go to, in a directory of its own, which exists and is empty. Ends the process
   * if that fails. */
  void (*open)(const char *directory);
  uint64_t (*sequences[SEQUENCES])(long rounds); /* NULL: it has none */
  /* Everything is in files after it. Ends the process if something was not written. */
  void (*close)(void);
};

extern const struct way clock_way, direct_way, live_way, gasp_way, addresses_way, otf2_way;

/* Says what went wrong and ends the process. */
_Noreturn void cost_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
