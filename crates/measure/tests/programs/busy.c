/* A thread that shares one core with others, as many as argv[1] says. It prints for each of its functions, in
 * nanoseconds, its time, its time on the core, and how long it was ready to run without one. */
#define _GNU_SOURCE
#include "program.h"
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static atomic_int stop;

static long now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec * 1000000000L + t.tv_nsec;
}

static long queued(void) {
  char text[100] = "";
  long on_core, waited = -1;
  int file = open("/proc/thread-self/schedstat", O_RDONLY);
  if (file < 0 || read(file, text, sizeof text - 1) <= 0) return -1;
  close(file);
  return sscanf(text, "%ld %ld", &on_core, &waited) == 2 ? waited : -1;
}

static void *burn(void *nothing) {
  while (!stop) {
  }
  return nothing;
}

static void tiny(void) {
  START(GASP_C_FUNC, 10, "tiny");
  for (long begin = now(CLOCK_MONOTONIC); now(CLOCK_MONOTONIC) - begin < 1000;) {
  }
  END(GASP_C_FUNC, 10, "tiny");
}

/* Uses the core for that long. */
static void compute(long nanoseconds) {
  for (long begin = now(CLOCK_THREAD_CPUTIME_ID); now(CLOCK_THREAD_CPUTIME_ID) - begin < nanoseconds;) {
  }
}

static void many(long calls) {
  for (long i = 0; i < calls; i++) tiny();
}

static void rest(long microseconds) { usleep(microseconds); }

static void run(const char *name, void (*function)(long), long argument) {
  long wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_THREAD_CPUTIME_ID), wait = queued();
  START(GASP_C_FUNC, 20, name);
  function(argument);
  END(GASP_C_FUNC, 20, name);
  wait = wait < 0 ? -1 : queued() - wait;
  printf("%s %ld %ld %ld\n", name, now(CLOCK_MONOTONIC) - wall, now(CLOCK_THREAD_CPUTIME_ID) - cpu, wait);
}

int main(int argc, char **argv) {
  int others = argc > 1 ? atoi(argv[1]) : 0;
  cpu_set_t core;
  CPU_ZERO(&core);
  CPU_SET(sched_getcpu(), &core);
  if (others) sched_setaffinity(0, sizeof core, &core);
  pthread_t threads[8];
  for (int i = 0; i < others && i < 8; i++) pthread_create(&threads[i], NULL, burn, NULL);
  begin();
  START(GASP_C_FUNC, 1, "main");
  run("compute", compute, 100000000);
  run("rest", rest, 30000);
  run("many", many, 60000);
  END(GASP_C_FUNC, 1, "main");
  stop = 1;
  for (int i = 0; i < others && i < 8; i++) pthread_join(threads[i], NULL);
  return 0;
}
