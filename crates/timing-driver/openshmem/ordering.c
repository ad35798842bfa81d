/* Ordering of writes: after none, or after some that are still under way. */
#include <shmem.h>
#include <stdlib.h>

#include "arguments.h"
#include "families.h"
#include "state.h"

#define MOST 100000

/* Times that the order of writes is looked at in a check. */
#define ROUNDS 20

struct ordering {
  const pgas_case *with;
  int partner;
  long writes; /* that are under way */
  long launches;
  long *numbers; /* symmetric: on the partner, what PE 0 has written */
  long *written; /* what it writes: stays unchanged until it has arrived */
  long *flag;    /* symmetric: on the partner, the round of a check */
};

static void finish(void *state) {
  struct ordering *of = state;
  if (of->numbers) shmem_free(of->numbers);
  if (of->flag) shmem_free(of->flag);
  free(of->written);
  free(of);
}

static void *prepare(const pgas_case *with) {
  struct ordering *of = state_of(with, sizeof *of);
  if (!of) return NULL;
  *of = (struct ordering){.with = with};
  of->writes = number_argument(with, "writes", 0, 0, MOST);
  of->partner = of->writes ? partner_argument(with, "near", 0) : 0;
  size_t many = (size_t)(of->writes > 0 ? of->writes : 1);
  if (of->writes >= 0 && of->partner >= 0 &&
      (of->numbers = shmem_calloc(many, sizeof *of->numbers)) &&
      (of->flag = shmem_calloc(1, sizeof *of->flag)) &&
      (of->written = calloc(many, sizeof *of->written))) {
    shmem_barrier_all();
    return of;
  }
  finish(of);
  return NULL;
}

static void write_some(void *state, long launch) {
  struct ordering *of = state;
  (void)launch;
  of->launches++;
  if (of->with->thread) return;
  for (long i = 0; i < of->writes; i++) {
    of->written[i] = of->launches + i;
    shmem_putmem_nbi(&of->numbers[i], &of->written[i], sizeof(long), of->partner);
  }
}

static void run_quiet(void *state, long launch) {
  const struct ordering *of = state;
  (void)launch;
  if (!of->with->thread) shmem_quiet();
}

static void run_fence(void *state, long launch) {
  const struct ordering *of = state;
  (void)launch;
  if (!of->with->thread) shmem_fence();
}

/* Lets the writes of this launch arrive before the next one's, which come from the same memory. */
static void settle(void *state, long launch) { run_quiet(state, launch); }

/* PE 0 writes again and reads after the quiet alone, with no barrier in between. */
static int check(void *state, long launch) {
  struct ordering *of = state;
  write_some(state, launch);
  run_quiet(state, launch);
  for (long i = 0; !of->with->thread && i < of->writes; i++) {
    long number = shmem_long_g(&of->numbers[i], of->partner), right = of->launches + i;
    if (number == right) continue;
    pgas_complain(of->with, "number %ld on PE %d is %ld instead of %ld", i, of->partner, number,
                  right);
    return -1;
  }
  return 0;
}

/* ---- Check of a fence: who sees a write after it sees those before it ---- */

static void write_in_order(struct ordering *of, long round) {
  of->written[0] = -round;
  shmem_putmem_nbi(&of->numbers[0], &of->written[0], sizeof(long), of->partner);
  shmem_fence();
  shmem_long_p(of->flag, round, of->partner);
}

static int sees_order(const struct ordering *of, long round) {
  shmem_long_wait_until(of->flag, SHMEM_CMP_GE, round);
  long number = *(volatile long *)&of->numbers[0];
  if (number == -round) return 1;
  pgas_complain(of->with,
                "PE %d saw a write after the fence, but %ld instead of %ld from before it",
                of->with->thread, number, -round);
  return 0;
}

static int check_fence(void *state, long launch) {
  struct ordering *of = state;
  int pe = of->with->thread, status = 0;
  (void)launch;
  for (long round = 1; round <= ROUNDS; round++) {
    if (pe == 0) write_in_order(of, round);
    if (pe == of->partner && !status && !sees_order(of, round)) status = -1;
    shmem_barrier_all();
  }
  return status;
}

#define ARGUMENTS "writes=N partner=near|far|own|N"

static const pgas_operation quiet = {.name = "shmem_quiet",
                                     .help = "PE 0 waits for its writes; writes: under way",
                                     .arguments = ARGUMENTS,
                                     .prepare = prepare,
                                     .ready = write_some,
                                     .run = run_quiet,
                                     .check = check,
                                     .finish = finish};

static const pgas_operation fence = {.name = "shmem_fence",
                                     .help = "PE 0 orders its writes; writes: under way",
                                     .arguments = ARGUMENTS,
                                     .prepare = prepare,
                                     .ready = write_some,
                                     .run = run_fence,
                                     .done = settle,
                                     .check = check_fence,
                                     .finish = finish};

const pgas_operation *const pgas_shmem_ordering[] = {&quiet, &fence, NULL};
