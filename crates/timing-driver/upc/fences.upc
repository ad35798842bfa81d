/* Fences: relaxed accesses after one are seen after those before it. */
#include <upc_relaxed.h>
#include <sched.h>
#include "families.h"
#include "places.h"

/* Times that the order of writes is looked at in a check. */
#define ROUNDS 20

struct fence {
  const pgas_case *with;
  shared int *data; /* by thread: thread 0 writes that of the last one */
  shared int *flag;
};

static void *prepare(const pgas_case *with) {
  struct fence *of = state_of(with, sizeof *of);
  if (!of) return NULL;
  of->with = with;
  of->data = upc_all_alloc(THREADS, sizeof(int));
  of->flag = upc_all_alloc(THREADS, sizeof(int));
  of->data[MYTHREAD] = of->flag[MYTHREAD] = 0;
  upc_barrier;
  return of;
}

static void finish(void *state) {
  struct fence *of = state;
  upc_barrier;
  if (MYTHREAD == 0) upc_free(of->data), upc_free(of->flag);
  free(of);
}

static void run(void *state, long launch) {
  (void)state, (void)launch;
  upc_fence;
}

/* ---- Check: who sees the write after the fence sees that before it ---- */

static void write_in_order(const struct fence *of, int round) {
  of->data[THREADS - 1] = -round;
  upc_fence;
  of->flag[THREADS - 1] = round;
}

static int sees_order(const struct fence *of, int round) {
  while (of->flag[MYTHREAD] < round) {
    sched_yield();
    upc_fence;
  }
  upc_fence;
  int number = of->data[MYTHREAD];
  if (number == -round) return 1;
  pgas_complain(of->with, "a write after the fence was seen, but %d instead of %d from before it",
                number, -round);
  return 0;
}

static int check(void *state, long launch) {
  struct fence *of = state;
  int result = 0;
  (void)launch;
  for (int round = 1; round <= ROUNDS; round++) {
    if (MYTHREAD == 0) write_in_order(of, round);
    if (MYTHREAD == THREADS - 1 && !result) result = !sees_order(of, round);
    upc_barrier;
  }
  return result;
}

static const pgas_operation fence = {.name = "upc_fence",
                                     .help = "with nothing to wait for",
                                     .independent = 1,
                                     .prepare = prepare,
                                     .run = run,
                                     .check = check,
                                     .finish = finish};

const pgas_operation *const *pgas_upc_fences(void) {
  static const pgas_operation *const all[] = {&fence, NULL};
  return all;
}
