/* Barriers of all PEs, of active sets and of teams. */
#include <shmem.h>
#include <stdlib.h>
#include <time.h>

#include "arguments.h"
#include "families.h"
#include "group.h"
#include "state.h"

/* Seconds by which a PE comes late when a barrier is checked. */
#define LATE 0.002

struct barrier {
  const pgas_case *with;
  void (*run)(void *state, long launch);
  struct group group;
  long *announced; /* symmetric: PEs that go to the barrier which this one comes late to */
};

static void finish(void *state) {
  struct barrier *barrier = state;
  group_release(&barrier->group);
  if (barrier->announced) shmem_free(barrier->announced);
  free(barrier);
}

typedef int grouping(struct group *group, const pgas_case *with);

static int of_set(struct group *group, const pgas_case *with) {
  return group_of_set(group, with, SHMEM_BARRIER_SYNC_SIZE);
}

static int make(struct barrier *barrier, grouping *grouped) {
  if (grouped(&barrier->group, barrier->with)) return -1;
  barrier->announced = shmem_calloc(1, sizeof *barrier->announced);
  if (!barrier->announced) {
    pgas_complain(barrier->with, "the symmetric heap has no word");
    return -1;
  }
  shmem_barrier_all();
  return 0;
}

static void *prepare(const pgas_case *with, grouping *grouped,
                     void (*run)(void *state, long launch)) {
  struct barrier *barrier = state_of(with, sizeof *barrier);
  if (!barrier) return NULL;
  *barrier = (struct barrier){.with = with, .run = run};
  return state_unless(make(barrier, grouped), barrier, finish);
}

/* ---- Check ---- */

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Comes to the barrier after the others have said that they go there. */
static void come_late(struct barrier *barrier, long launch) {
  shmem_long_wait_until(barrier->announced, SHMEM_CMP_EQ, barrier->group.size - 1);
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
  int latecomers[] = {0, barrier->group.size - 1}, status = 0;
  if (barrier->group.index < 0) return 0;
  for (int i = 0; i < 2; i++) {
    int late = pe_in_group(&barrier->group, latecomers[i]);
    if (barrier->group.index == latecomers[i]) {
      come_late(barrier, launch + i + 1);
    } else if (!waits_for(barrier, late, launch + i + 1)) {
      pgas_complain(barrier->with, "PE %d left before PE %d had come", barrier->with->thread, late);
      status = -1;
    }
  }
  return status;
}

/* ---- Operations ---- */

static void run_barrier_all(void *state, long launch) {
  (void)state, (void)launch;
  shmem_barrier_all();
}

static void run_sync_all(void *state, long launch) {
  (void)state, (void)launch;
  shmem_sync_all();
}

#define SET(barrier, launch)                                                  \
  (barrier)->group.start, (barrier)->group.log_stride, (barrier)->group.size, \
      group_array(&(barrier)->group, launch)

static void run_barrier(void *state, long launch) {
  struct barrier *barrier = state;
  if (barrier->group.index >= 0) shmem_barrier(SET(barrier, launch));
}

static void run_sync(void *state, long launch) {
  struct barrier *barrier = state;
  if (barrier->group.index >= 0) shmem_sync(SET(barrier, launch));
}

#if HAS_OPENSHMEM(1, 5)
static void run_team_sync(void *state, long launch) {
  struct barrier *barrier = state;
  (void)launch;
  if (barrier->group.index >= 0) shmem_team_sync(barrier->group.team);
}
#endif

#define BARRIER(function, grouped, describe, words)                      \
  static void *prepare_##function(const pgas_case *with) {               \
    return prepare(with, grouped, run_##function);                       \
  }                                                                      \
  static const pgas_operation function = {.name = "shmem_" #function,    \
                                          .help = describe,              \
                                          .arguments = words,            \
                                          .prepare = prepare_##function, \
                                          .run = run_##function,         \
                                          .check = check,                \
                                          .finish = finish};

BARRIER(barrier_all, of_set, "all wait for all, and for their writes", NULL)
BARRIER(sync_all, of_set, "all wait for all", NULL)
BARRIER(barrier, of_set, "a set waits for its PEs, and for their writes" SET_HELP, SET_ARGUMENTS)
BARRIER(sync, of_set, "a set waits for its PEs" SET_HELP, SET_ARGUMENTS)

#if HAS_OPENSHMEM(1, 5)
BARRIER(team_sync, group_of_team, "a team waits for its PEs" TEAM_HELP, TEAM_ARGUMENTS)
#endif

const pgas_operation *const pgas_shmem_barriers[] = {
    &barrier_all, &sync_all, &barrier, &sync,
#if HAS_OPENSHMEM(1, 5)
    &team_sync,
#endif
    NULL,
};
