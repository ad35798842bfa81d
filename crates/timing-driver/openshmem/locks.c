/* Locks, free or contended. */
#include <shmem.h>
#include <stdlib.h>

#include "arguments.h"
#include "families.h"
#include "state.h"

/* Times that each contender adds to a number while it holds the lock, in the check. */
#define ADDITIONS 5

struct lock {
  const pgas_case *with;
  int contenders;
  long *lock;    /* symmetric */
  long *counted; /* symmetric: on PE 0, added to by those who hold the lock */
  int was_got;   /* by shmem_test_lock */
};

static void finish(void *state) {
  struct lock *of = state;
  if (of->lock) shmem_free(of->lock);
  if (of->counted) shmem_free(of->counted);
  free(of);
}

static void *prepare(const pgas_case *with) {
  struct lock *of = state_of(with, sizeof *of);
  if (!of) return NULL;
  *of = (struct lock){.with = with};
  of->contenders = (int)number_argument(with, "contenders", 1, 1, with->threads);
  if (of->contenders > 0 && (of->lock = shmem_calloc(1, sizeof(long))) &&
      (of->counted = shmem_calloc(1, sizeof(long)))) {
    shmem_barrier_all();
    return of;
  }
  finish(of);
  return NULL;
}

static int contends(const struct lock *of) { return of->with->thread < of->contenders; }

static void take(void *state, long launch) {
  struct lock *of = state;
  (void)launch;
  if (contends(of)) shmem_set_lock(of->lock);
}

static void give(void *state, long launch) {
  struct lock *of = state;
  (void)launch;
  if (contends(of)) shmem_clear_lock(of->lock);
}

/* The next contender gets it when this one gives it back. */
static void take_and_give(void *state, long launch) {
  take(state, launch);
  give(state, launch);
}

static void test(void *state, long launch) {
  struct lock *of = state;
  (void)launch;
  if (contends(of)) of->was_got = shmem_test_lock(of->lock) == 0;
}

static void give_if_got(void *state, long launch) {
  struct lock *of = state;
  if (of->was_got) give(state, launch);
}

/* ---- Check ---- */

/* Nobody else may read the number between this PE's reading and writing of it. */
static void add_one(struct lock *of) {
  shmem_set_lock(of->lock);
  long number = shmem_long_g(of->counted, 0);
  shmem_long_p(of->counted, number + 1, 0);
  shmem_quiet();
  shmem_clear_lock(of->lock);
}

static int check(void *state, long launch) {
  struct lock *of = state;
  (void)launch;
  shmem_barrier_all();
  *of->counted = 0;
  shmem_barrier_all();
  for (int i = 0; i < ADDITIONS; i++) add_one(of);
  shmem_barrier_all();
  long right = ADDITIONS * (long)of->with->threads;
  if (of->with->thread || *of->counted == right) return 0;
  pgas_complain(of->with, "%ld additions under the lock made %ld", right, *of->counted);
  return -1;
}

static int check_test(void *state, long launch) {
  struct lock *of = state;
  if (!of->with->thread && !of->was_got) {
    pgas_complain(of->with, "the free lock was not got");
    return -1;
  }
  return check(state, launch);
}

/* ---- Operations ---- */

static const pgas_operation set_lock = {.name = "shmem_set_lock",
                                        .help = "PE 0 takes a free lock",
                                        .prepare = prepare,
                                        .run = take,
                                        .done = give,
                                        .check = check,
                                        .finish = finish};

static const pgas_operation clear_lock = {.name = "shmem_clear_lock",
                                          .help = "PE 0 gives a lock back",
                                          .prepare = prepare,
                                          .ready = take,
                                          .run = give,
                                          .check = check,
                                          .finish = finish};

static const pgas_operation test_lock = {.name = "shmem_test_lock",
                                         .help = "PE 0 takes a free lock if it can have it",
                                         .prepare = prepare,
                                         .run = test,
                                         .done = give_if_got,
                                         .check = check_test,
                                         .finish = finish};

static const pgas_operation set_and_clear_lock = {
    .name = "shmem_set_clear_lock",
    .help = "PEs from 0 take a lock and give it back, at once; contenders: how many",
    .arguments = "contenders=N",
    .prepare = prepare,
    .run = take_and_give,
    .check = check,
    .finish = finish};

const pgas_operation *const pgas_shmem_locks[] = {&set_lock, &clear_lock, &test_lock,
                                                  &set_and_clear_lock, NULL};
