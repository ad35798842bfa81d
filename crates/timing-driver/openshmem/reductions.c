/* Reductions over active sets: types of numbers are arguments. */
#include <shmem.h>
#include <stdlib.h>

#include "active_set.h"
#include "families.h"
#include "numbers.h"
#include "symmetric.h"

/* Types that all operators have come first. */
#define WHOLE_TYPES "int|long|short|long_long"
#define TYPES "type=" WHOLE_TYPES "|double|float|long_double "
#define BIT_TYPES "type=" WHOLE_TYPES " "

static const enum number_type types[] = {
    NUMBER_int,    NUMBER_long,  NUMBER_short,       NUMBER_long_long,
    NUMBER_double, NUMBER_float, NUMBER_long_double,
};

struct reduction;

/* By index in `types`; null where a type has no such operator. */
typedef void (*reduce)(struct reduction *of, void *dest, const void *source, void *work,
                       long *sync);

struct reduction_kind {
  const reduce *calls;
  enum operator_kind operator;
};

struct reduction {
  const pgas_case *with;
  const struct reduction_kind *kind;
  reduce call;
  enum number_type number;
  struct active_set set;
  int count; /* numbers */
  struct buffers source, dest, work;
  long *sync;
};

/* ---- Life of an operation ---- */

static int read_arguments(struct reduction *of) {
  int choice = pgas_argument_choice(of->with, "type");
  of->number = types[choice];
  of->call = of->kind->calls[choice];
  size_t size = number_size(of->number);
  of->count = (int)(of->with->bytes / size);
  if (active_set_read(&of->set, of->with)) return -1;
  if (of->with->bytes % size == 0 && of->with->bytes / size <= 0x7fffffff) return 0;
  pgas_complain(of->with, "a size of %zu bytes is no number of values of %zu bytes",
                of->with->bytes, size);
  return -1;
}

static void fill(const struct reduction *of) {
  for (int buffer = 0; buffer < of->source.count; buffer++)
    for (size_t at = 0; at < (size_t)of->count; at++)
      number_store(of->number, buffer_at(&of->source, buffer), at,
                   contribution(of->kind->operator, of->set.index, buffer, at));
}

static size_t work_numbers(const struct reduction *of) {
  size_t half = (size_t)of->count / 2 + 1;
  return half > SHMEM_REDUCE_MIN_WRKDATA_SIZE ? half : SHMEM_REDUCE_MIN_WRKDATA_SIZE;
}

/* Work arrays of the same launch follow those for synchronisation. */
static int make(struct reduction *of) {
  if (read_arguments(of)) return -1;
  size_t size = number_size(of->number), bytes = (size_t)of->count * size;
  int buffers = of->with->buffers;
  if (symmetric_make(&of->source, of->with, buffers, bytes) ||
      symmetric_make(&of->dest, of->with, buffers, bytes) ||
      symmetric_make(&of->work, of->with, buffers > 1 ? buffers : 2, work_numbers(of) * size))
    return -1;
  of->sync = work_arrays(of->with, SHMEM_REDUCE_SYNC_SIZE);
  if (!of->sync) return -1;
  if (bytes && of->set.index >= 0) fill(of);
  shmem_barrier_all();
  return 0;
}

static void finish(void *state) {
  struct reduction *of = state;
  symmetric_free(&of->source);
  symmetric_free(&of->dest);
  symmetric_free(&of->work);
  if (of->sync) shmem_free(of->sync);
  free(of);
}

static void *prepare(const pgas_case *with, const struct reduction_kind *kind) {
  struct reduction *of = calloc(1, sizeof *of);
  if (!of) {
    pgas_complain(with, "there is no memory for the operation");
    return NULL;
  }
  *of = (struct reduction){.with = with, .kind = kind};
  if (!make(of)) return of;
  finish(of);
  return NULL;
}

static void run(void *state, long launch) {
  struct reduction *of = state;
  if (of->set.index < 0) return;
  of->call(of, buffer_at(&of->dest, launch), buffer_at(&of->source, launch),
           buffer_at(&of->work, launch), of->sync + launch % WORK_ARRAYS * SHMEM_REDUCE_SYNC_SIZE);
}

static int check(void *state, long launch) {
  const struct reduction *of = state;
  int buffer = buffer_of(&of->dest, launch);
  if (of->set.index < 0) return 0;
  for (size_t at = 0; at < (size_t)of->count; at++) {
    struct number right = combined(of->kind->operator, 0, of->set.size - 1, buffer, at);
    if (number_is(of->number, buffer_at(&of->dest, launch), at, right)) continue;
    pgas_complain(of->with, "PE %d: number %zu is %g instead of %g", of->with->thread, at,
                  number_read(of->number, buffer_at(&of->dest, launch), at), right.real);
    return -1;
  }
  return 0;
}

/* ---- Operations ---- */

#define CALL(model, type, op)                                                             \
  static void call_##model##_##op(struct reduction *of, void *dest, const void *source,   \
                                  void *work, long *sync) {                               \
    shmem_##model##_##op##_to_all((type *)dest, (type *)source, of->count, of->set.start, \
                                  of->set.log_stride, of->set.size, (type *)work, sync);  \
  }

#define WHOLE_CALLS(op)  \
  CALL(int, int, op)     \
  CALL(long, long, op)   \
  CALL(short, short, op) \
  CALL(longlong, long long, op)
#define REAL_CALLS(op)     \
  CALL(double, double, op) \
  CALL(float, float, op)   \
  CALL(longdouble, long double, op)
#define WHOLE_LIST(op) call_int_##op, call_long_##op, call_short_##op, call_longlong_##op
#define REAL_LIST(op) call_double_##op, call_float_##op, call_longdouble_##op

#define REDUCTION(op, as, words)                                                                  \
  static const struct reduction_kind kind_##op = {calls_##op, OPERATOR_##as};                     \
  static void *prepare_##op(const pgas_case *with) { return prepare(with, &kind_##op); }          \
  static const pgas_operation reduce_##op = {.name = "shmem_" #op "_to_all",                      \
                                             .help = "numbers of all, combined on each" SET_HELP, \
                                             .arguments = words SET_ARGUMENTS,                    \
                                             .sized = 1,                                          \
                                             .prepare = prepare_##op,                             \
                                             .run = run,                                          \
                                             .check = check,                                      \
                                             .finish = finish};

#define OF_ALL_TYPES(op)                                              \
  WHOLE_CALLS(op)                                                     \
  REAL_CALLS(op)                                                      \
  static const reduce calls_##op[] = {WHOLE_LIST(op), REAL_LIST(op)}; \
  REDUCTION(op, op, TYPES)
#define OF_WHOLE_TYPES(op, as)                         \
  WHOLE_CALLS(op)                                      \
  static const reduce calls_##op[] = {WHOLE_LIST(op)}; \
  REDUCTION(op, as, BIT_TYPES)

OF_ALL_TYPES(sum)
OF_ALL_TYPES(prod)
OF_ALL_TYPES(max)
OF_ALL_TYPES(min)
OF_WHOLE_TYPES(and, band)
OF_WHOLE_TYPES(or, bor)
OF_WHOLE_TYPES(xor, bxor)

const pgas_operation *const pgas_shmem_reductions[] = {
    &reduce_sum, &reduce_prod, &reduce_max, &reduce_min, &reduce_and, &reduce_or, &reduce_xor, NULL,
};
