/* Numbers that reductions and atomic operations work on: their types, the operators, and the
   results that must come out. All values are small integers, so floating-point results are exact.
 */
#ifndef PGAS_NUMBERS_H
#define PGAS_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

/* name, C type, whether it is floating-point; in the order of NUMBER_WORDS */
#define NUMBER_TYPES(X)                \
  X(double, double, 1)                 \
  X(float, float, 1)                   \
  X(long_double, long double, 1)       \
  X(int, int, 0)                       \
  X(long, long, 0)                     \
  X(short, short, 0)                   \
  X(signed_char, signed char, 0)       \
  X(long_long, long long, 0)           \
  X(unsigned_long, unsigned long, 0)   \
  X(unsigned, unsigned, 0)             \
  X(unsigned_short, unsigned short, 0) \
  X(unsigned_char, unsigned char, 0)   \
  X(unsigned_long_long, unsigned long long, 0)

/* Arguments that name a type: any, or an integer, which NUMBER_WHOLE is the first of. */
#define NUMBER_WORDS "type=double|float|long_double|" WHOLE_NAMES
#define WHOLE_WORDS "type=" WHOLE_NAMES
#define WHOLE_NAMES                                                                           \
  "int|long|short|signed_char|long_long|unsigned_long|unsigned|unsigned_short|unsigned_char|" \
  "unsigned_long_long"
#define NUMBER_WHOLE NUMBER_int

#define NUMBER_ENUM(name, type, is_real) NUMBER_##name,
enum number_type { NUMBER_TYPES(NUMBER_ENUM) NUMBERS };
#undef NUMBER_ENUM

/* A value as every type has it: integers modulo their size. */
struct number {
  uint64_t whole;
  double real;
};

/* In the order of OPERATOR_WORDS, which reductions have, and two more for windows of MPI. */
#define OPERATORS(X) \
  X(sum)             \
  X(prod)            \
  X(max)             \
  X(min)             \
  X(land)            \
  X(lor)             \
  X(lxor)            \
  X(band)            \
  X(bor)             \
  X(bxor)            \
  X(replace)         \
  X(no_op)

/* The argument that names an operator. */
#define OPERATOR_WORDS "op=sum|prod|max|min|land|lor|lxor|band|bor|bxor"

#define OPERATOR_ENUM(name) OPERATOR_##name,
enum operator_kind { OPERATORS(OPERATOR_ENUM) OPERATORS_END };
#undef OPERATOR_ENUM

static inline struct number number_from(uint64_t whole) {
  struct number number = {whole, (double)whole};
  return number;
}

static inline size_t number_size(enum number_type type) {
#define NUMBER_SIZE(name, type, is_real) sizeof(type),
  static const size_t sizes[] = {NUMBER_TYPES(NUMBER_SIZE)};
#undef NUMBER_SIZE
  return sizes[type];
}

static inline int number_is_real(enum number_type type) {
#define NUMBER_REAL(name, type, is_real) is_real,
  static const char real[] = {NUMBER_TYPES(NUMBER_REAL)};
#undef NUMBER_REAL
  return real[type];
}

/* Operators that floating-point numbers have. */
static inline int number_has(enum number_type type, enum operator_kind op) {
  return !number_is_real(type) || op < OPERATOR_land || op > OPERATOR_bxor;
}

/* Stores the `index`-th number of an array. */
static inline void number_store(enum number_type type, void *array, size_t index,
                                struct number value) {
  switch (type) {
#define NUMBER_STORE(name, type, is_real)                                    \
  case NUMBER_##name:                                                        \
    ((type *)array)[index] = is_real ? (type)value.real : (type)value.whole; \
    break;
    NUMBER_TYPES(NUMBER_STORE)
#undef NUMBER_STORE
    case NUMBERS: break;
  }
}

/* Whether the `index`-th number of an array has this value. */
static inline int number_is(enum number_type type, const void *array, size_t index,
                            struct number value) {
  switch (type) {
#define NUMBER_IS(name, type, is_real) \
  case NUMBER_##name:                  \
    return ((const type *)array)[index] == (is_real ? (type)value.real : (type)value.whole);
    NUMBER_TYPES(NUMBER_IS)
#undef NUMBER_IS
    case NUMBERS: break;
  }
  return 0;
}

static inline double number_read(enum number_type type, const void *array, size_t index) {
  switch (type) {
#define NUMBER_READ(name, type, is_real) \
  case NUMBER_##name: return (double)((const type *)array)[index];
    NUMBER_TYPES(NUMBER_READ)
#undef NUMBER_READ
    case NUMBERS: break;
  }
  return 0;
}

/* The number that a thread contributes at a position of its buffer. Factors of products are 1 or 2,
   rarely 2, so that products of many threads remain finite. */
static inline struct number contribution(enum operator_kind op, int thread, int buffer,
                                         size_t position) {
  size_t mixed = (size_t)thread * 3 + (size_t)buffer * 7 + position;
  return number_from(op == OPERATOR_prod ? 1 + (mixed % 7 == 0) : mixed % 5);
}

static inline uint64_t combine_whole(enum operator_kind op, uint64_t a, uint64_t b) {
  switch (op) {
    case OPERATOR_sum: return a + b;
    case OPERATOR_prod: return a * b;
    case OPERATOR_max: return a > b ? a : b;
    case OPERATOR_min: return a < b ? a : b;
    case OPERATOR_land: return a && b;
    case OPERATOR_lor: return a || b;
    case OPERATOR_lxor: return !a != !b;
    case OPERATOR_band: return a & b;
    case OPERATOR_bor: return a | b;
    case OPERATOR_bxor: return a ^ b;
    case OPERATOR_replace: return b;
    case OPERATOR_no_op: return a;
    case OPERATORS_END: break;
  }
  return 0;
}

static inline double combine_real(enum operator_kind op, double a, double b) {
  switch (op) {
    case OPERATOR_sum: return a + b;
    case OPERATOR_prod: return a * b;
    case OPERATOR_max: return a > b ? a : b;
    case OPERATOR_min: return a < b ? a : b;
    case OPERATOR_replace: return b;
    default: return a;
  }
}

static inline struct number combine(enum operator_kind op, struct number a, struct number b) {
  struct number result = {combine_whole(op, a.whole, b.whole), combine_real(op, a.real, b.real)};
  return result;
}

/* Contributions of the threads from `first` to `last`, combined. */
static inline struct number combined(enum operator_kind op, int first, int last, int buffer,
                                     size_t position) {
  struct number result = contribution(op, first, buffer, position);
  for (int thread = first + 1; thread <= last; thread++)
    result = combine(op, result, contribution(op, thread, buffer, position));
  return result;
}

#endif
