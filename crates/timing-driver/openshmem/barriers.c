/* Barriers of all PEs and of active sets. */
#include <shmem.h>
#include <stdlib.h>
#include <time.h>

#include "active_set.h"
#include "families.h"

/* Seconds by which a PE comes late when a barrier is checked. */
#define LATE 0.002

struct barrier {
  const pgas_case *with;
  void (*run)(void *state, long launch);
  struct active_set set;
  long *sync;
  long *announced; /* symmetric: PEs that go to the barrier which this one comes late to */
};

static void finish(void *state) {
  struct barrier *barrier = state;
  if (barrier->sync) shmem_free(barrier->sync);
  if (barrier->announced) shmem_free(barrier->announced);
  free(barrier);
}

static void *prepare(const pgas_case *with, void (*run)(void *state, long launch)) {
  struct barrier *barrier = calloc(1, sizeof *barrier);
  if (!barrier) {
    pgas_complain(with, "there is no memory for the operation");
    return NULL;
  }
  *barrier = (struct barrier){.with = with, .run = run};
  if (!active_set_read(&barrier->set, with) &&
      (barrier->sync = work_arrays(with, SHMEM_BARRIER_SYNC_SIZE)) &&
      (barrier->announced = shmem_calloc(1, sizeof *barrier->announced)))
    return barrier;
  finish(barrier);
  return NULL;
}

/* ---- Check ---- */

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Comes to the barrier after the others have said that they go there. */
static void come_late(struct barrier *barrier, long launch) {
  shmem_long_wait_until(barrier->announced, SHMEM_CMP_EQ, barrier->set.size - 1);
  double begin = seconds();
  while (seconds() - begin < LATE) {
  }
  *barrier->announced = 0;
  barrier->run(barrier, launch);
}

static int waits_for(struct barrier *barrier, int late, long launch) {
  double begin = seconds();
  shmem_long_atomic_inc(barrier->announced, late);
  barrier->run(barrier, launch);
  return seconds() - begin >= LATE;
}

/* Nobody may leave before the last one has come: the first and the last PE are late in turn. */
static int check(void *state, long launch) {
  struct barrier *barrier = state;
  int latecomers[] = {0, barrier->set.size - 1}, status = 0;
  if (barrier->set.index < 0) return 0;
  for (int i = 0; i < 2; i++) {
    int late = pe_in_set(&barrier->set, latecomers[i]);
    if (barrier->set.index == latecomers[i]) {
      come_late(barrier, launch + i + 1);
    } else if (!waits_for(barrier, late, launch + i + 1)) {
      pgas_complain(barrier->with, "PE %d left before PE %d had come", barrier->with->thread, late);
      status = -1;
    }
  }
  return status;
}

/* ---- Operations ---- */

static long *sync_of(struct barrier *barrier, long launch) {
  return barrier->sync + launch % WORK_ARRAYS * SHMEM_BARRIER_SYNC_SIZE;
}

static void run_barrier_all(void *state, long launch) {
  (void)state, (void)launch;
  shmem_barrier_all();
}

static void run_sync_all(void *state, long launch) {
  (void)state, (void)launch;
  shmem_sync_all();
}

#define SET(barrier) (barrier)->set.start, (barrier)->set.log_stride, (barrier)->set.size

static void run_barrier(void *state, long launch) {
  struct barrier *barrier = state;
  if (barrier->set.index >= 0) shmem_barrier(SET(barrier), sync_of(barrier, launch));
}

static void run_sync(void *state, long launch) {
  struct barrier *barrier = state;
  if (barrier->set.index >= 0) shmem_sync(SET(barrier), sync_of(barrier, launch));
}

#define BARRIER(function, describe, words)                                                         \
  static void *prepare_##function(const pgas_case *with) { return prepare(with, run_##function); } \
  static const pgas_operation function = {.name = "shmem_" #function,                              \
                                          .help = describe,                                        \
                                          .arguments = words,                                      \
                                          .prepare = prepare_##function,                           \
                                          .run = run_##function,                                   \
                                          .check = check,                                          \
                                          .finish = finish};

BARRIER(barrier_all, "all wait for all, and for their writes", NULL)
BARRIER(sync_all, "all wait for all", NULL)
BARRIER(barrier, "a set waits for its PEs, and for their writes" SET_HELP, SET_ARGUMENTS)
BARRIER(sync, "a set waits for its PEs" SET_HELP, SET_ARGUMENTS)

const pgas_operation *const pgas_shmem_barriers[] = {&barrier_all, &sync_all, &barrier, &sync,
                                                     NULL};
