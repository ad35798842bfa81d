/* Locks, free and contended. */
#include <upc_strict.h>
#include <sched.h>
#include "families.h"
#include "places.h"

#define ARGUMENTS "contenders=N partner=own|near|far|N"
#define HELP                                                                                    \
  "; contenders: threads from 0 on that do it at once; partner: thread that has allocated it, " \
  "seen from thread 0"

struct locking {
  const pgas_case *with;
  upc_lock_t *lock;
  shared long *count; /* number that the lock protects, for the check */
  int takes_part;
  int contenders;
  int got_it;
  int expected; /* answer of an attempt */
};

static shared void *shared published;

/* The same lock everywhere, allocated by one thread. */
static upc_lock_t *lock_of(int thread) {
  upc_barrier;
  if (MYTHREAD == thread) published = upc_global_lock_alloc();
  upc_barrier;
  return (upc_lock_t *)published;
}

static void *prepare(const pgas_case *with) {
  long contenders = number_argument(with, "contenders", 1, 1, THREADS);
  int owner = partner_argument(with, "own", 0);
  struct locking *of = state_of(with, sizeof *of);
  if (!of) return NULL;
  if (contenders < 0 || owner < 0) return free(of), NULL;
  of->with = with;
  of->contenders = (int)contenders;
  of->takes_part = MYTHREAD < contenders;
  of->lock = lock_of(owner);
  of->count = upc_all_alloc(1, sizeof(long));
  of->expected = 1;
  return of;
}

/* Held by the last thread all the time. */
static void *prepare_held(const pgas_case *with) {
  struct locking *of = prepare(with);
  if (of == NULL || !pgas_argument_choice(with, "held")) return of;
  if (THREADS - 1 < of->contenders && THREADS > 1)
    pgas_complain(with, "held=yes: contenders must leave the last thread, which holds the lock");
  of->expected = 0;
  if (MYTHREAD == THREADS - 1) upc_lock(of->lock);
  upc_barrier;
  return of;
}

static void finish(void *state) {
  struct locking *of = state;
  if (!of->expected && MYTHREAD == THREADS - 1) upc_unlock(of->lock);
  upc_barrier;
  if (MYTHREAD == 0) {
    upc_lock_free(of->lock);
    upc_free(of->count);
  }
  free(of);
}

/* ---- Check: updates under the lock are not lost ---- */

#define UPDATES 50

static int check(void *state, long launch) {
  struct locking *of = state;
  (void)launch;
  if (MYTHREAD == 0) *of->count = 0;
  upc_barrier;
  for (int i = 0; i < UPDATES; i++) {
    upc_lock(of->lock);
    long before = *of->count;
    sched_yield();
    *of->count = before + 1;
    upc_unlock(of->lock);
  }
  upc_barrier;
  if (*of->count == (long)UPDATES * THREADS) return 0;
  pgas_complain(of->with, "%ld of %ld updates under the lock were lost",
                (long)UPDATES * THREADS - *of->count, (long)UPDATES * THREADS);
  return 1;
}

static int check_attempt(void *state, long launch) {
  struct locking *of = state;
  if (of->takes_part && of->contenders == 1 && of->got_it != of->expected) {
    pgas_complain(of->with, "upc_lock_attempt returned %d instead of %d", of->got_it, of->expected);
    return 1;
  }
  return of->expected ? check(state, launch) : 0;
}

/* ---- Operations ---- */

static void lock(void *state, long launch) {
  struct locking *of = state;
  (void)launch;
  if (of->takes_part) upc_lock(of->lock);
}

static void unlock(void *state, long launch) {
  struct locking *of = state;
  (void)launch;
  if (of->takes_part) upc_unlock(of->lock);
}

static void lock_and_unlock(void *state, long launch) {
  struct locking *of = state;
  (void)launch;
  if (!of->takes_part) return;
  upc_lock(of->lock);
  upc_unlock(of->lock);
}

static void attempt(void *state, long launch) {
  struct locking *of = state;
  (void)launch;
  if (of->takes_part) of->got_it = upc_lock_attempt(of->lock);
}

static void unlock_if_got(void *state, long launch) {
  struct locking *of = state;
  (void)launch;
  if (of->takes_part && of->got_it) upc_unlock(of->lock);
}

static const pgas_operation locked = {.name = "upc_lock",
                                      .help = "a lock is taken" HELP,
                                      .arguments = ARGUMENTS,
                                      .prepare = prepare,
                                      .run = lock,
                                      .done = unlock,
                                      .check = check,
                                      .finish = finish};

static const pgas_operation unlocked = {.name = "upc_unlock",
                                        .help = "thread 0 gives a lock back; partner: thread that "
                                                "has allocated it",
                                        .arguments = "partner=own|near|far|N",
                                        .independent = 1,
                                        .prepare = prepare,
                                        .ready = lock,
                                        .run = unlock,
                                        .check = check,
                                        .finish = finish};

static const pgas_operation locked_and_unlocked = {.name = "upc_lock_unlock",
                                                   .help = "a lock is taken and given back" HELP,
                                                   .arguments = ARGUMENTS,
                                                   .prepare = prepare,
                                                   .run = lock_and_unlock,
                                                   .check = check,
                                                   .finish = finish};

static const pgas_operation attempted = {.name = "upc_lock_attempt",
                                         .help = "held: by the last thread, or free" HELP,
                                         .arguments = "held=no|yes " ARGUMENTS,
                                         .independent = 1,
                                         .prepare = prepare_held,
                                         .run = attempt,
                                         .done = unlock_if_got,
                                         .check = check_attempt,
                                         .finish = finish};

const pgas_operation *const *pgas_upc_locks(void) {
  static const pgas_operation *const all[] = {&locked, &unlocked, &locked_and_unlocked, &attempted,
                                              NULL};
  return all;
}
