/* Single reads and writes of shared data, many in a launch. */
#include <upc_relaxed.h>
#include "families.h"
#include "places.h"

/* Distance in bytes of numbers that share no cache line, nor what a runtime fetches at once. */
#define APART 1024
/* Accesses of a launch, unless an argument says otherwise. */
#define COUNT 1000
#define COUNT_FAR 20 /* where each takes microseconds */
#define MOST 1000000

#define ARGUMENTS \
  "access=relaxed|strict width=8|4|2|1 order=apart|next partner=near|far|own|N count=N"
#define HELP                                                                                  \
  " one number at a time; width: its bytes; order: numbers far apart, or one after another; " \
  "count: "                                                                                   \
  "of one launch"

struct accesses;
typedef uint64_t reads(const struct accesses *of, shared[] char *at);
typedef void writes(const struct accesses *of, shared[] char *at, uint64_t first);

struct accesses {
  const pgas_case *with;
  int partner;
  long count;
  size_t *index; /* numbers in the order of accesses */
  struct places places;
  reads *read;
  writes *write;
  uint64_t sum;
};

/* ---- Loops of all kinds ---- */

#define KIND(access, type)                                                                    \
  static uint64_t read_##access##_##type(const struct accesses *of, shared[] char *at) {      \
    access shared[] type *numbers = (access shared[] type *)at;                               \
    uint64_t sum = 0;                                                                         \
    for (long i = 0; i < of->count; i++) sum += numbers[of->index[i]];                        \
    return sum;                                                                               \
  }                                                                                           \
  static void write_##access##_##type(const struct accesses *of, shared[] char *at,           \
                                      uint64_t first) {                                       \
    access shared[] type *numbers = (access shared[] type *)at;                               \
    for (long i = 0; i < of->count; i++) numbers[of->index[i]] = (type)(first + (uint64_t)i); \
  }
#define WIDTHS(access) \
  KIND(access, uint64_t) KIND(access, uint32_t) KIND(access, uint16_t) KIND(access, uint8_t)
WIDTHS(relaxed)
WIDTHS(strict)

#define NAMES(of, access)                                                        \
  {of##_##access##_uint64_t, of##_##access##_uint32_t, of##_##access##_uint16_t, \
   of##_##access##_uint8_t}

static size_t width_of(int choice) { return (size_t)8 >> choice; }

/* The number as its width holds it. */
static uint64_t narrow(uint64_t number, size_t width) {
  return width == 8 ? number : number & (((uint64_t)1 << 8 * width) - 1);
}

/* ---- Preparation ---- */

/* A step that has no factor in common with the count leads through all, far from the last one. */
static long step_through(long count) {
  long step = count / 3 * 2 + 1;
  for (;; step++) {
    long a = step, b = count;
    while (b != 0) {
      long rest = a % b;
      a = b, b = rest;
    }
    if (a == 1) return step % count;
  }
}

static void order(struct accesses *of, int is_next, size_t width) {
  long step = is_next ? 1 : step_through(of->count), place = 0;
  for (long i = 0; i < of->count; i++) {
    of->index[i] = (size_t)place * (is_next ? 1 : APART / width);
    place = (place + step) % of->count;
  }
}

static void *prepare(const pgas_case *with) {
  static reads *const reading[2][4] = {NAMES(read, relaxed), NAMES(read, strict)};
  static writes *const writing[2][4] = {NAMES(write, relaxed), NAMES(write, strict)};
  int partner = partner_argument(with, "near", 0);
  if (partner < 0) return NULL;
  int is_near = with->nodes[partner] == with->nodes[0];
  long count = number_argument(with, "count", is_near ? COUNT : COUNT_FAR, 1, MOST);
  if (count < 0) return NULL;
  struct accesses *of = state_of(with, sizeof *of + (size_t)count * sizeof *of->index);
  if (!of) return NULL;
  size_t *index = (size_t *)(of + 1);
  int is_strict = pgas_argument_choice(with, "access"),
      choice = pgas_argument_choice(with, "width");
  *of = (struct accesses){.with = with, .partner = partner, .count = count, .index = index};
  of->read = reading[is_strict][choice];
  of->write = writing[is_strict][choice];
  order(of, pgas_argument_choice(with, "order"), width_of(choice));
  of->places = places_of((size_t)count * APART, 1);
  if (MYTHREAD == partner) of->write(of, place_on(&of->places, MYTHREAD, 0), 7);
  upc_barrier;
  pgas_repeats(with, count);
  return of;
}

static void finish(void *state) {
  struct accesses *of = state;
  free_places(&of->places);
  free(of);
}

/* ---- Operations ---- */

static void run_read(void *state, long launch) {
  struct accesses *of = state;
  if (MYTHREAD == 0) of->sum = of->read(of, place_on(&of->places, of->partner, launch));
}

static void run_write(void *state, long launch) {
  struct accesses *of = state;
  if (MYTHREAD != 0) return;
  of->write(of, place_on(&of->places, of->partner, launch), (uint64_t)launch + 1);
  upc_fence;
}

/* The partner's numbers, or those that were read, against the sum of `first` and what follows. */
static int is_sum(const struct accesses *of, uint64_t sum, uint64_t first) {
  size_t width = width_of(pgas_argument_choice(of->with, "width"));
  uint64_t expected = 0;
  for (long i = 0; i < of->count; i++) expected += narrow(first + (uint64_t)i, width);
  if (sum == expected) return 1;
  pgas_complain(of->with, "the sum of all numbers is %llu instead of %llu", (unsigned long long)sum,
                (unsigned long long)expected);
  return 0;
}

static int check_read(void *state, long launch) {
  struct accesses *of = state;
  (void)launch;
  return MYTHREAD == 0 && !is_sum(of, of->sum, 7);
}

static int check_write(void *state, long launch) {
  struct accesses *of = state;
  if (MYTHREAD != of->partner) return 0;
  return !is_sum(of, of->read(of, place_on(&of->places, MYTHREAD, launch)), (uint64_t)launch + 1);
}

#define ACCESS(word, describe)                                               \
  static const pgas_operation word##_operation = {.name = "shared_" #word,   \
                                                  .help = describe HELP,     \
                                                  .arguments = ARGUMENTS,    \
                                                  .independent = 1,          \
                                                  .prepare = prepare,        \
                                                  .ready = forget_read_data, \
                                                  .run = run_##word,         \
                                                  .check = check_##word,     \
                                                  .finish = finish};

ACCESS(read, "thread 0 reads the partner's shared data,")
ACCESS(write, "thread 0 writes the partner's shared data, with a fence at the end,")

const pgas_operation *const *pgas_upc_accesses(void) {
  static const pgas_operation *const all[] = {&read_operation, &write_operation, NULL};
  return all;
}
