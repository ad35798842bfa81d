/* Allocation of shared memory and locks, and their release. */
#include "families.h"
#include "places.h"

struct allocation {
  const pgas_case *with;
  int takes_part;
  shared void *memory; /* of the last allocation */
  upc_lock_t *lock;
};

static void *prepare_for(const pgas_case *with, int takes_part) {
  struct allocation *of = state_of(with, sizeof *of);
  if (!of) return NULL;
  of->with = with;
  of->takes_part = takes_part;
  return of;
}

/* By some threads, each for itself. */
static void *prepare_some(const pgas_case *with) {
  long contenders = number_argument(with, "contenders", 1, 1, THREADS);
  return contenders < 0 ? NULL : prepare_for(with, MYTHREAD < contenders);
}

static void *prepare_some_bytes(const pgas_case *with) {
  return some_bytes(with) == 0 ? NULL : prepare_some(with);
}

/* By all threads together. */
static void *prepare_all(const pgas_case *with) { return prepare_for(with, 1); }

static void *prepare_all_bytes(const pgas_case *with) {
  return some_bytes(with) == 0 ? NULL : prepare_all(with);
}

static void finish(void *state) { free(state); }

/* ---- What is allocated, and released ---- */

static void alloc(void *state, long launch) {
  struct allocation *of = state;
  (void)launch;
  if (of->takes_part) of->memory = upc_alloc(of->with->bytes);
}

static void global_alloc(void *state, long launch) {
  struct allocation *of = state;
  (void)launch;
  if (of->takes_part) of->memory = upc_global_alloc(THREADS, of->with->bytes);
}

static void all_alloc(void *state, long launch) {
  struct allocation *of = state;
  (void)launch;
  of->memory = upc_all_alloc(THREADS, of->with->bytes);
}

static void release(void *state, long launch) {
  struct allocation *of = state;
  (void)launch;
  if (of->takes_part) upc_free(of->memory);
}

/* After an allocation by all, which others may not have left yet. */
static void release_together(void *state, long launch) {
  struct allocation *of = state;
  (void)launch;
  upc_barrier;
  if (MYTHREAD == 0) upc_free(of->memory);
}

static void global_lock_alloc(void *state, long launch) {
  struct allocation *of = state;
  (void)launch;
  if (of->takes_part) of->lock = upc_global_lock_alloc();
}

static void all_lock_alloc(void *state, long launch) {
  struct allocation *of = state;
  (void)launch;
  of->lock = upc_all_lock_alloc();
}

static void release_lock(void *state, long launch) {
  struct allocation *of = state;
  (void)launch;
  if (of->takes_part) upc_lock_free(of->lock);
}

static void release_lock_together(void *state, long launch) {
  struct allocation *of = state;
  (void)launch;
  upc_barrier;
  if (MYTHREAD == 0) upc_lock_free(of->lock);
}

#if defined(__UPC_VERSION__) && __UPC_VERSION__ >= 201311L
#define HAS_ALL_FREE 1

static void free_together(void *state, long launch) {
  struct allocation *of = state;
  (void)launch;
  upc_all_free(of->memory);
}

static void free_lock_together(void *state, long launch) {
  struct allocation *of = state;
  (void)launch;
  upc_all_lock_free(of->lock);
}
#endif

/* ---- Check: each part of new memory keeps what its thread writes, and locks lock ---- */

static int keeps(const struct allocation *of, shared[] char *memory) {
  size_t last = of->with->bytes - 1;
  memory[0] = (char)(MYTHREAD + 1);
  memory[last] = (char)(MYTHREAD + 2);
  upc_fence;
  if (memory[last] == (char)(MYTHREAD + 2) && (last == 0 || memory[0] == (char)(MYTHREAD + 1)))
    return 1;
  pgas_complain(of->with, "memory does not keep what is written there");
  return 0;
}

static int check_alloc(void *state, long launch) {
  struct allocation *of = state;
  if (!of->takes_part) return 0;
  alloc(state, launch);
  int is_own = upc_threadof(of->memory) == (size_t)MYTHREAD;
  if (!is_own) pgas_complain(of->with, "memory has affinity to another thread");
  int result = !is_own || !keeps(of, (shared[] char *)of->memory);
  release(state, launch);
  return result;
}

static int check_global_alloc(void *state, long launch) {
  struct allocation *of = state;
  if (!of->takes_part) return 0;
  global_alloc(state, launch);
  int result = !keeps(of, (shared[] char *)((shared char *)of->memory + THREADS - 1));
  release(state, launch);
  return result;
}

static int check_all_alloc(void *state, long launch) {
  struct allocation *of = state;
  all_alloc(state, launch);
  int result = !keeps(of, (shared[] char *)((shared char *)of->memory + MYTHREAD));
  release_together(state, launch);
  return result;
}

static int locks(const struct allocation *of) {
  int taken = upc_lock_attempt(of->lock);
  if (taken) upc_unlock(of->lock);
  if (!taken) pgas_complain(of->with, "a new lock cannot be taken");
  return taken;
}

static int check_global_lock_alloc(void *state, long launch) {
  struct allocation *of = state;
  if (!of->takes_part) return 0;
  global_lock_alloc(state, launch);
  int result = !locks(of);
  release_lock(state, launch);
  return result;
}

static int check_all_lock_alloc(void *state, long launch) {
  struct allocation *of = state;
  all_lock_alloc(state, launch);
  int result = MYTHREAD == 0 && !locks(of);
  release_lock_together(state, launch);
  return result;
}

/* ---- Operations ---- */

#define SOME "contenders=N"
#define SOME_HELP "; contenders: threads from 0 on that do it at once"

#define ALLOCATION(operation, describe, takes, has_size, by, before, it, after, test, waits) \
  static const pgas_operation operation##_operation = {.name = "upc_" #operation,            \
                                                       .help = describe,                     \
                                                       .arguments = takes,                   \
                                                       .sized = has_size,                    \
                                                       .independent = !waits,                \
                                                       .prepare = by,                        \
                                                       .ready = before,                      \
                                                       .run = it,                            \
                                                       .done = after,                        \
                                                       .check = test,                        \
                                                       .finish = finish};

ALLOCATION(alloc, "shared memory of the own thread" SOME_HELP, SOME, 1, prepare_some_bytes, NULL,
           alloc, release, check_alloc, 0)
ALLOCATION(global_alloc, "a block on each thread, for one thread" SOME_HELP, SOME, 1,
           prepare_some_bytes, NULL, global_alloc, release, check_global_alloc, 0)
ALLOCATION(all_alloc, "a block on each thread, by all together", NULL, 1, prepare_all_bytes, NULL,
           all_alloc, release_together, check_all_alloc, 1)
ALLOCATION(free, "memory of upc_alloc" SOME_HELP, SOME, 1, prepare_some_bytes, alloc, release, NULL,
           check_alloc, 0)
ALLOCATION(global_lock_alloc, "a lock, for one thread" SOME_HELP, SOME, 0, prepare_some, NULL,
           global_lock_alloc, release_lock, check_global_lock_alloc, 0)
ALLOCATION(all_lock_alloc, "a lock, by all together", NULL, 0, prepare_all, NULL, all_lock_alloc,
           release_lock_together, check_all_lock_alloc, 1)
ALLOCATION(lock_free, "a lock of upc_global_lock_alloc" SOME_HELP, SOME, 0, prepare_some,
           global_lock_alloc, release_lock, NULL, check_global_lock_alloc, 0)
#ifdef HAS_ALL_FREE
ALLOCATION(all_free, "memory of upc_all_alloc, by all together", NULL, 1, prepare_all_bytes,
           all_alloc, free_together, NULL, check_all_alloc, 1)
ALLOCATION(all_lock_free, "a lock, by all together", NULL, 0, prepare_all, all_lock_alloc,
           free_lock_together, NULL, check_all_lock_alloc, 1)
#endif

const pgas_operation *const *pgas_upc_allocations(void) {
  static const pgas_operation *const all[] = {&alloc_operation,
                                              &global_alloc_operation,
                                              &all_alloc_operation,
                                              &free_operation,
                                              &global_lock_alloc_operation,
                                              &all_lock_alloc_operation,
                                              &lock_free_operation,
#ifdef HAS_ALL_FREE
                                              &all_free_operation,
                                              &all_lock_free_operation,
#endif
                                              NULL};
  return all;
}
