/* Single numbers that PE 0 writes or reads, many in one launch. */
#include <shmem.h>
#include <stdlib.h>

#include "arguments.h"
#include "families.h"
#include "state.h"

#define ARGUMENTS "partner=near|far|own|N count=N"
#define HELP "; count: accesses of a launch, 100 if not given"
#define MOST 1000000

struct singles {
  const pgas_case *with;
  int partner;
  long count;
  long *numbers; /* symmetric */
  long sum;      /* of those that were read in the last launch */
};

static long value_at(const struct singles *of, long place) {
  return 1000 * (long)of->partner + place;
}

static void finish(void *state) {
  struct singles *of = state;
  if (of->numbers) shmem_free(of->numbers);
  free(of);
}

/* The partner's numbers are there for those that read; others begin with none. */
static void *prepare(const pgas_case *with, int are_filled) {
  struct singles *of = state_of(with, sizeof *of);
  if (!of) return NULL;
  *of = (struct singles){.with = with, .partner = partner_argument(with, "near", 0)};
  of->count = number_argument(with, "count", 100, 1, MOST);
  if (of->partner >= 0 && of->count > 0)
    of->numbers = shmem_calloc((size_t)of->count, sizeof *of->numbers);
  if (!of->numbers) {
    pgas_complain(with, "there are no %ld symmetric numbers", of->count);
    finish(of);
    return NULL;
  }
  for (long i = 0; are_filled && i < of->count; i++)
    of->numbers[i] = with->thread == of->partner ? value_at(of, i) : 0;
  pgas_repeats(with, of->count);
  shmem_barrier_all();
  return of;
}

/* ---- Writes ---- */

static void *prepare_p(const pgas_case *with) { return prepare(with, 0); }

static void run_p(void *state, long launch) {
  struct singles *of = state;
  (void)launch;
  if (of->with->thread) return;
  for (long i = 0; i < of->count; i++) shmem_long_p(&of->numbers[i], value_at(of, i), of->partner);
}

static int check_p(void *state, long launch) {
  const struct singles *of = state;
  (void)launch;
  if (of->with->thread != of->partner) return 0;
  for (long i = 0; i < of->count; i++)
    if (of->numbers[i] != value_at(of, i)) {
      pgas_complain(of->with, "PE %d: number %ld is %ld instead of %ld", of->with->thread, i,
                    of->numbers[i], value_at(of, i));
      return -1;
    }
  return 0;
}

/* ---- Reads ---- */

static void *prepare_g(const pgas_case *with) { return prepare(with, 1); }

static void run_g(void *state, long launch) {
  struct singles *of = state;
  (void)launch;
  if (of->with->thread) return;
  long sum = 0;
  for (long i = 0; i < of->count; i++) sum += shmem_long_g(&of->numbers[i], of->partner);
  of->sum = sum;
}

static int check_g(void *state, long launch) {
  const struct singles *of = state;
  long right = of->count * value_at(of, 0) + of->count * (of->count - 1) / 2;
  (void)launch;
  if (of->with->thread || of->sum == right) return 0;
  pgas_complain(of->with, "%ld numbers have the sum %ld instead of %ld", of->count, of->sum, right);
  return -1;
}

/* ---- Operations ---- */

static const pgas_operation p = {.name = "shmem_long_p",
                                 .help = "PE 0 writes single numbers to the partner" HELP,
                                 .arguments = ARGUMENTS,
                                 .prepare = prepare_p,
                                 .run = run_p,
                                 .check = check_p,
                                 .finish = finish};

static const pgas_operation g = {.name = "shmem_long_g",
                                 .help = "PE 0 reads single numbers from the partner" HELP,
                                 .arguments = ARGUMENTS,
                                 .prepare = prepare_g,
                                 .run = run_g,
                                 .check = check_g,
                                 .finish = finish};

const pgas_operation *const pgas_shmem_singles[] = {&p, &g, NULL};
