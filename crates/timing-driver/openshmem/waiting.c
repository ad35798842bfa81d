/* Waiting for a number that another PE writes. */
#include <shmem.h>
#include <stdlib.h>

#include "arguments.h"
#include "families.h"
#include "state.h"

struct waiting {
  const pgas_case *with;
  int partner;
  int is_back; /* the partner answers */
  long launches;
  long *number; /* symmetric: launches that the other PE has written */
};

static void finish(void *state) {
  struct waiting *of = state;
  if (of->number) shmem_free(of->number);
  free(of);
}

static int make(struct waiting *of) {
  of->partner = partner_argument(of->with, "near", 0);
  of->is_back = pgas_argument_choice(of->with, "back") == 1;
  if (of->partner < 0) return -1;
  of->number = shmem_calloc(1, sizeof *of->number);
  if (!of->number) {
    pgas_complain(of->with, "the symmetric heap has no word");
    return -1;
  }
  shmem_barrier_all();
  return 0;
}

static void *prepare(const pgas_case *with) {
  struct waiting *of = state_of(with, sizeof *of);
  if (!of) return NULL;
  of->with = with;
  return state_unless(make(of), of, finish);
}

static void await(struct waiting *of) {
  shmem_long_wait_until(of->number, SHMEM_CMP_GE, of->launches);
}

static void run(void *state, long launch) {
  struct waiting *of = state;
  int pe = of->with->thread;
  (void)launch;
  of->launches++;
  if (pe == 0) shmem_long_p(of->number, of->launches, of->partner);
  if (pe == of->partner) await(of);
  if (!of->is_back || of->partner == 0) return;
  if (pe == of->partner) shmem_long_p(of->number, of->launches, 0);
  if (pe == 0) await(of);
}

static int is_number(const struct waiting *of) {
  if (*of->number == of->launches) return 1;
  pgas_complain(of->with, "PE %d: the number is %ld instead of %ld", of->with->thread, *of->number,
                of->launches);
  return 0;
}

/* The partner may end a wait only with the number of this launch. */
static int check(void *state, long launch) {
  const struct waiting *of = state;
  int pe = of->with->thread;
  (void)launch;
  return (pe == of->partner || (pe == 0 && of->is_back)) && !is_number(of);
}

static const pgas_operation wait_until = {
    .name = "shmem_long_wait_until",
    .help = "the partner waits for a number of PE 0, and answers if asked for",
    .arguments = "partner=near|far|own|N back=no|yes",
    .prepare = prepare,
    .run = run,
    .check = check,
    .finish = finish};

const pgas_operation *const pgas_shmem_waiting[] = {&wait_until, NULL};
