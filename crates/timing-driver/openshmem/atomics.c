/* Atomic operations on a number of one PE, by one PE or by several at once. */
#include <shmem.h>
#include <stdlib.h>

#include "arguments.h"
#include "families.h"
#include "state.h"

#define ARGUMENTS "partner=near|far|own|N contenders=N count=N "
/* Bits are changed of unsigned numbers, as the standard has it. */
#define NUMBER_TYPES_ARGUMENT ARGUMENTS "type=long|int"
#define BIT_TYPES_ARGUMENT ARGUMENTS "type=unsigned_long|unsigned"
#define HELP "; contenders: PEs from 0 that do so at once; count: times in one launch"
#define MOST 1000000

struct atomic;

struct atomic_kind {
  /* Performs it once, with a value, and returns the number from before where it fetches. */
  long (*on_int)(int *number, long value, int pe);
  long (*on_long)(long *number, long value, int pe);
  /* The number after one operation with this value. */
  long (*apply)(long number, long value);
  int fetches;
  int is_exact; /* the result is the same in each order of contenders */
};

struct atomic {
  const pgas_case *with;
  const struct atomic_kind *kind;
  int partner, contenders;
  int is_long;
  long count;
  void *number; /* symmetric */
  long fetched, performed;
};

/* Operations get these values in turn, and the number begins with the second, which is what the
   first compare and swap expects. */
#define FIRST_VALUE 1
#define SECOND_VALUE 2

/* ---- Life of an operation ---- */

static int read_arguments(struct atomic *of) {
  of->partner = partner_argument(of->with, "near", 0);
  of->contenders = (int)number_argument(of->with, "contenders", 1, 1, of->with->threads);
  of->count = number_argument(of->with, "count", 1, 1, MOST);
  of->is_long = pgas_argument_choice(of->with, "type") == 0;
  return of->partner < 0 || of->contenders < 0 || of->count < 0 ? -1 : 0;
}

static void finish(void *state) {
  struct atomic *of = state;
  if (of->number) shmem_free(of->number);
  free(of);
}

static void *prepare(const pgas_case *with, const struct atomic_kind *kind) {
  struct atomic *of = state_of(with, sizeof *of);
  if (!of) return NULL;
  *of = (struct atomic){.with = with, .kind = kind};
  if (!read_arguments(of)) of->number = shmem_calloc(1, sizeof(long));
  if (!of->number) {
    pgas_complain(with, "there is no symmetric number");
    finish(of);
    return NULL;
  }
  *(long *)of->number = 0;
  if (of->is_long) *(long *)of->number = SECOND_VALUE;
  else *(int *)of->number = SECOND_VALUE;
  pgas_repeats(with, of->count);
  shmem_barrier_all();
  return of;
}

static long value_of(long time) { return time % 2 ? SECOND_VALUE : FIRST_VALUE; }

static void run(void *state, long launch) {
  struct atomic *of = state;
  (void)launch;
  long first = of->performed;
  of->performed += of->count;
  if (of->with->thread >= of->contenders) return;
  for (long time = first; time < of->performed; time++)
    of->fetched = of->is_long ? of->kind->on_long(of->number, value_of(time), of->partner)
                              : of->kind->on_int(of->number, value_of(time), of->partner);
}

/* ---- Check ---- */

/* The number after each contender has performed it as many times. */
static long number_after(const struct atomic *of, long times) {
  long number = SECOND_VALUE;
  for (long time = 0; time < times; time++)
    for (int contender = 0; contender < of->contenders; contender++)
      number = of->kind->apply(number, value_of(time));
  return number;
}

static int is_not(const struct atomic *of, const char *what, long number, long right) {
  if (number == right) return 0;
  pgas_complain(of->with, "PE %d: the number %s is %ld instead of %ld", of->with->thread, what,
                number, right);
  return -1;
}

/* Which of several contenders was the last to write is open. */
static int check_number(const struct atomic *of) {
  long number = of->is_long ? *(long *)of->number : *(int *)of->number;
  if (of->kind->is_exact || of->contenders == 1)
    return is_not(of, "there", number, number_after(of, of->performed));
  return number != FIRST_VALUE && is_not(of, "there", number, SECOND_VALUE);
}

static int check(void *state, long launch) {
  const struct atomic *of = state;
  (void)launch;
  if (of->with->thread == of->partner && check_number(of)) return -1;
  if (!of->kind->fetches || of->contenders > 1 || of->with->thread) return 0;
  return is_not(of, "fetched", of->fetched, number_after(of, of->performed - 1));
}

/* ---- Operations ---- */

static long apply_add(long number, long value) { return number + value; }
static long apply_inc(long number, long value) { return (void)value, number + 1; }
static long apply_set(long number, long value) { return (void)number, value; }
static long apply_and(long number, long value) { return number & ~value; }
static long apply_or(long number, long value) { return number | value; }
static long apply_xor(long number, long value) { return number ^ value; }
static long apply_none(long number, long value) { return (void)value, number; }

/* Swaps if the number is the other value, which the operation before left. */
#define EXPECTED(value) (FIRST_VALUE + SECOND_VALUE - (value))
static long apply_compare(long number, long value) {
  return number == EXPECTED(value) ? value : number;
}

#define ATOMIC_CALL(op, width, TYPE, statement)                        \
  static long width##_##op(width *signed_number, long value, int pe) { \
    TYPE *number = (TYPE *)signed_number;                              \
    TYPE given = (TYPE)value;                                          \
    (void)given;                                                       \
    statement;                                                         \
  }

#define ATOMIC(op, applied, fetching, exact, describe, words)                                  \
  static const struct atomic_kind kind_##op = {int_##op, long_##op, applied, fetching, exact}; \
  static void *prepare_##op(const pgas_case *with) { return prepare(with, &kind_##op); }       \
  static const pgas_operation op = {.name = "shmem_atomic_" #op,                               \
                                    .help = describe HELP,                                     \
                                    .arguments = words,                                        \
                                    .prepare = prepare_##op,                                   \
                                    .run = run,                                                \
                                    .check = check,                                            \
                                    .finish = finish};

#define ON(type, op, ...) shmem_##type##_atomic_##op(number, __VA_ARGS__)
#define FETCHING(op, applied, exact, describe, ...)             \
  ATOMIC_CALL(op, int, int, return ON(int, op, __VA_ARGS__))    \
  ATOMIC_CALL(op, long, long, return ON(long, op, __VA_ARGS__)) \
  ATOMIC(op, applied, 1, exact, describe, NUMBER_TYPES_ARGUMENT)
#define GIVING(op, applied, exact, describe, ...)                  \
  ATOMIC_CALL(op, int, int, ON(int, op, __VA_ARGS__); return 0)    \
  ATOMIC_CALL(op, long, long, ON(long, op, __VA_ARGS__); return 0) \
  ATOMIC(op, applied, 0, exact, describe, NUMBER_TYPES_ARGUMENT)
#define FETCHING_BITS(op, applied, describe, ...)                               \
  ATOMIC_CALL(op, int, unsigned, return (long)ON(uint, op, __VA_ARGS__))        \
  ATOMIC_CALL(op, long, unsigned long, return (long)ON(ulong, op, __VA_ARGS__)) \
  ATOMIC(op, applied, 1, 1, describe, BIT_TYPES_ARGUMENT)
#define GIVING_BITS(op, applied, describe, ...)                              \
  ATOMIC_CALL(op, int, unsigned, ON(uint, op, __VA_ARGS__); return 0)        \
  ATOMIC_CALL(op, long, unsigned long, ON(ulong, op, __VA_ARGS__); return 0) \
  ATOMIC(op, applied, 0, 1, describe, BIT_TYPES_ARGUMENT)

FETCHING(fetch, apply_none, 1, "reads", pe)
FETCHING(fetch_add, apply_add, 1, "adds, and gets the number from before", given, pe)
FETCHING(fetch_inc, apply_inc, 1, "adds 1, and gets the number from before", pe)
FETCHING_BITS(fetch_and, apply_and, "clears bits, and gets the number from before", ~given, pe)
FETCHING_BITS(fetch_or, apply_or, "sets bits, and gets the number from before", given, pe)
FETCHING_BITS(fetch_xor, apply_xor, "flips bits, and gets the number from before", given, pe)
FETCHING(compare_swap, apply_compare, 0, "writes if the number is as expected, and gets it",
         EXPECTED(given), given, pe)
FETCHING(swap, apply_set, 0, "writes, and gets the number from before", given, pe)
GIVING(set, apply_set, 0, "writes", given, pe)
GIVING(add, apply_add, 1, "adds", given, pe)
GIVING(inc, apply_inc, 1, "adds 1", pe)
GIVING_BITS(and, apply_and, "clears bits", ~given, pe)
GIVING_BITS(or, apply_or, "sets bits", given, pe)
GIVING_BITS(xor, apply_xor, "flips bits", given, pe)

const pgas_operation *const pgas_shmem_atomics[] = {
    &fetch,     &set, &swap,     &compare_swap, &fetch_add, &add, &fetch_inc, &inc,
    &fetch_and, &and, &fetch_or, &or,           &fetch_xor, &xor, NULL,
};
