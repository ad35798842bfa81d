/* Yields the core in spin loops of the program, such as `while (flag == 0) ;`. They cannot sleep
 * until the flag changes, but where threads share cores, every failed test takes time from the
 * thread that they wait for. The compiler therefore counts the tests of loops that do nothing else,
 * and strict reads, which may belong to one. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <time.h>

#include "runtime.h"

unsigned upcr_looks, upcr_looks_at_once = 1;
unsigned upcr_strict_reads;

/* Between two yields, where every thread has a core and where not. */
#define LOOKS_ALONE 4096
#define LOOKS_SHARED 16
/* A thread that comes back later than this has done other work in between. */
#define APART_NS 1000000l
/* At least this long between two yields of what may be a computation. */
#define COMPUTATION_NS 20000l
/* From here on a waiting thread sleeps between its looks, for a small part of the time that it has
 * waited. */
#define PATIENCE_NS 10000000l
#define PART 64
#define LONGEST_NS 2000000l

static long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000l + t.tv_nsec;
}

void upcr_look_start(void) { upcr_looks_at_once = upcr_spins != 0 ? LOOKS_ALONE : LOOKS_SHARED; }

void upcr_let_others_run(void) {
  int error = errno;
  upcr_waiting++;
  sched_yield();
  upcr_waiting--;
  errno = error;
}

void upcr_looked_often(void) {
  static long since, last;
  upcr_looks = 0;
  long begin = now();
  if (begin - last > APART_NS) since = begin;
  long waited = begin - since;
  if (upcr_spins != 0 || waited < PATIENCE_NS) {
    upcr_let_others_run();
  } else {
    int error = errno;
    struct timespec t = {0, waited / PART < LONGEST_NS ? waited / PART : LONGEST_NS};
    upcr_waiting++;
    nanosleep(&t, NULL);
    upcr_waiting--;
    errno = error;
  }
  last = now();
}

/* It may as well be a computation, which must not lose much by it. */
void upcr_read_often(void) {
  static long last;
  upcr_strict_reads = 0;
  if (upcr_spins != 0 || now() - last < COMPUTATION_NS) return;
  upcr_let_others_run();
  last = now();
}
