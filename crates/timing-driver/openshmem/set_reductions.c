/* Reductions over active sets: types of numbers are arguments. */
#include "families.h"
#include "reductions.h"

/* Types that all operators have come first. */
#define WHOLE_TYPES "int|long|short|long_long"
#define TYPES "type=" WHOLE_TYPES "|double|float|long_double "
#define BIT_TYPES "type=" WHOLE_TYPES " "

static const enum number_type types[] = {
    NUMBER_int,    NUMBER_long,  NUMBER_short,       NUMBER_long_long,
    NUMBER_double, NUMBER_float, NUMBER_long_double,
};

#define CALL(model, type, op)                                                                \
  static void call_##model##_##op(struct reduction *of, void *dest, const void *source,      \
                                  void *work, long *sync) {                                  \
    shmem_##model##_##op##_to_all((type *)dest, (type *)source, of->count, of->group.start,  \
                                  of->group.log_stride, of->group.size, (type *)work, sync); \
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

#define REDUCTION(op, as, words)                                                             \
  static const struct reduction_kind kind_reduce_##op = {                                    \
      .calls = calls_##op, .types = types, .operator= OPERATOR_##as };                       \
  REDUCTION_OPERATION(reduce_##op, op##_to_all, "numbers of all, combined on each" SET_HELP, \
                      words SET_ARGUMENTS)

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
