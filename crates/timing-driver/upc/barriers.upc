/* Barriers and their two halves. */
#include <upc_strict.h>
#include <time.h>
#include "families.h"
#include "places.h"
#include "transport.h"

/* ---- Check: nobody leaves before all have come ---- */

struct barrier {
  const pgas_case *with;
  shared int *arrived; /* by thread: launches that it has come to */
  void (*cross)(void);
};

static void cross_barrier(void) { upc_barrier; }

static void cross_halves(void) {
  upc_notify;
  upc_wait;
}

static void *prepare(const pgas_case *with, void (*cross)(void)) {
  struct barrier *of = state_of(with, sizeof *of);
  if (!of) return NULL;
  of->with = with;
  of->arrived = upc_all_alloc(THREADS, sizeof(int));
  of->cross = cross;
  of->arrived[MYTHREAD] = 0;
  upc_barrier;
  return of;
}

static void *prepare_barrier(const pgas_case *with) { return prepare(with, cross_barrier); }
static void *prepare_halves(const pgas_case *with) { return prepare(with, cross_halves); }

static void finish(void *state) {
  struct barrier *of = state;
  upc_barrier;
  if (MYTHREAD == 0) upc_free(of->arrived);
  free(of);
}

static void pass_time(void) {
  struct timespec time = {0, 500000};
  nanosleep(&time, NULL);
}

/* The threads come one after another, in both orders; each must find that all have come. */
static int check(void *state, long launch) {
  struct barrier *of = state;
  int early = -1;
  (void)launch;
  for (int round = 1; round <= 2; round++) {
    int late = round == 1 ? MYTHREAD : THREADS - 1 - MYTHREAD;
    for (int i = 0; i < late && i < 8; i++) pass_time();
    of->arrived[MYTHREAD] = round;
    of->cross();
    for (int other = 0; other < THREADS; other++)
      if (of->arrived[other] < round) early = other;
    upc_barrier;
  }
  if (early >= 0) pgas_complain(of->with, "left before thread %d had come", early);
  return early >= 0;
}

/* ---- Operations ---- */

static void run_barrier(void *state, long launch) {
  (void)state, (void)launch;
  upc_barrier;
}

static void notify(void *state, long launch) {
  (void)state, (void)launch;
  upc_notify;
}

static void wait(void *state, long launch) {
  (void)state, (void)launch;
  upc_wait;
}

/* Between the halves, where the method may need a barrier of its own. */
static void notify_before(void *state, long launch) {
  notify(state, launch);
  pgas_upc_is_between(1);
}

static void wait_after_notify(void *state, long launch) {
  wait(state, launch);
  pgas_upc_is_between(0);
}

static void run_halves(void *state, long launch) {
  notify(state, launch);
  wait(state, launch);
}

static const pgas_operation barrier = {.name = "upc_barrier",
                                       .help = "all wait for all",
                                       .prepare = prepare_barrier,
                                       .run = run_barrier,
                                       .check = check,
                                       .finish = finish};

static const pgas_operation halves = {.name = "upc_notify_wait",
                                      .help = "upc_notify, then upc_wait; overlap is in between",
                                      .prepare = prepare_halves,
                                      .run = run_halves,
                                      .start = notify,
                                      .complete = wait,
                                      .check = check,
                                      .finish = finish};

static const pgas_operation first_half = {.name = "upc_notify",
                                          .help = "first half of a barrier alone",
                                          .independent = 1,
                                          .prepare = prepare_halves,
                                          .run = notify,
                                          .done = wait,
                                          .check = check,
                                          .finish = finish};

static const pgas_operation second_half = {.name = "upc_wait",
                                           .help =
                                               "second half of a barrier that all have notified",
                                           .prepare = prepare_halves,
                                           .ready = notify_before,
                                           .run = wait_after_notify,
                                           .check = check,
                                           .finish = finish};

const pgas_operation *const *pgas_upc_barriers(void) {
  static const pgas_operation *const all[] = {&barrier, &halves, &first_half, &second_half, NULL};
  return all;
}
