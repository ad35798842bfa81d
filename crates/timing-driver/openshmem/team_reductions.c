/* Reductions over teams: types of numbers are arguments. Bits are combined of unsigned numbers
   alone, as the standard has it. */
#include "families.h"
#include "reductions.h"

#if HAS_OPENSHMEM(1, 5)

/* Types that all operators have come first. */
#define BIT_NAMES "unsigned_long|unsigned|unsigned_short|unsigned_char|unsigned_long_long"
#define TYPES "type=" BIT_NAMES "|int|long|short|signed_char|long_long|double|float|long_double "
#define BIT_TYPES "type=" BIT_NAMES " "

static const enum number_type types[] = {
    NUMBER_unsigned_long,      NUMBER_unsigned,  NUMBER_unsigned_short, NUMBER_unsigned_char,
    NUMBER_unsigned_long_long, NUMBER_int,       NUMBER_long,           NUMBER_short,
    NUMBER_signed_char,        NUMBER_long_long, NUMBER_double,         NUMBER_float,
    NUMBER_long_double,
};

#define CALL(model, type, op)                                                           \
  static void call_##model##_##op(struct reduction *of, void *dest, const void *source, \
                                  void *work, long *sync) {                             \
    (void)work, (void)sync;                                                             \
    shmem_##model##_##op##_reduce(of->group.team, (type *)dest, (const type *)source,   \
                                  (size_t)of->count);                                   \
  }

#define BIT_CALLS(op)              \
  CALL(ulong, unsigned long, op)   \
  CALL(uint, unsigned, op)         \
  CALL(ushort, unsigned short, op) \
  CALL(uchar, unsigned char, op)   \
  CALL(ulonglong, unsigned long long, op)
#define OTHER_CALLS(op)         \
  CALL(int, int, op)            \
  CALL(long, long, op)          \
  CALL(short, short, op)        \
  CALL(schar, signed char, op)  \
  CALL(longlong, long long, op) \
  CALL(double, double, op)      \
  CALL(float, float, op)        \
  CALL(longdouble, long double, op)
#define BIT_LIST(op) \
  call_ulong_##op, call_uint_##op, call_ushort_##op, call_uchar_##op, call_ulonglong_##op
#define OTHER_LIST(op)                                                                 \
  call_int_##op, call_long_##op, call_short_##op, call_schar_##op, call_longlong_##op, \
      call_double_##op, call_float_##op, call_longdouble_##op

#define REDUCTION(op, as, words)                                                              \
  static const struct reduction_kind kind_reduce_##op = {                                     \
      .calls = calls_##op, .types = types, .operator= OPERATOR_##as, .has_team = 1};          \
  REDUCTION_OPERATION(reduce_##op, op##_reduce, "numbers of all, combined on each" TEAM_HELP, \
                      words TEAM_ARGUMENTS)

#define OF_ALL_TYPES(op)                                             \
  BIT_CALLS(op)                                                      \
  OTHER_CALLS(op)                                                    \
  static const reduce calls_##op[] = {BIT_LIST(op), OTHER_LIST(op)}; \
  REDUCTION(op, op, TYPES)
#define OF_BIT_TYPES(op, as)                         \
  BIT_CALLS(op)                                      \
  static const reduce calls_##op[] = {BIT_LIST(op)}; \
  REDUCTION(op, as, BIT_TYPES)

OF_ALL_TYPES(sum)
OF_ALL_TYPES(prod)
OF_ALL_TYPES(max)
OF_ALL_TYPES(min)
OF_BIT_TYPES(and, band)
OF_BIT_TYPES(or, bor)
OF_BIT_TYPES(xor, bxor)
#endif

const pgas_operation *const pgas_shmem_team_reductions[] = {
#if HAS_OPENSHMEM(1, 5)
    &reduce_sum, &reduce_prod, &reduce_max, &reduce_min, &reduce_and, &reduce_or, &reduce_xor,
#endif
    NULL,
};
