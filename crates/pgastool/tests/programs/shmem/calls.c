/* Calls every function of OpenSHMEM 1.4 that communicates, and checks what it does. */
#include <complex.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <shmem.h>

static int me, pes, next, previous, failures;
static shmem_ctx_t ctx;

static void check(int condition, const char *what) {
  if (condition) return;
  failures++;
  fprintf(stderr, "PE %d: %s is wrong\n", me, what);
}

static void settle(void) {
  shmem_ctx_quiet(ctx);
  shmem_quiet();
  shmem_barrier_all();
}

/* ---- Lists of types, as the standard has them ---- */

#define EXACT_INTEGERS(DO) \
  DO(int32, int32_t) DO(int64, int64_t) DO(uint32, uint32_t) DO(uint64, uint64_t)
#define INTEGERS(DO)      \
  DO(int, int)            \
  DO(long, long)          \
  DO(longlong, long long) \
  DO(uint, unsigned) DO(ulong, unsigned long) DO(ulonglong, unsigned long long)
#define REALS(DO) DO(float, float) DO(double, double)
#define RMA_TYPES(DO)                                                                         \
  INTEGERS(DO)                                                                                \
  REALS(DO)                                                                                   \
  EXACT_INTEGERS(DO)                                                                          \
  DO(longdouble, long double) DO(char, char) DO(schar, signed char) DO(short, short)          \
      DO(uchar, unsigned char) DO(ushort, unsigned short) DO(int8, int8_t) DO(int16, int16_t) \
          DO(uint8, uint8_t) DO(uint16, uint16_t) DO(size, size_t) DO(ptrdiff, ptrdiff_t)
#define SYNC_TYPES(DO) \
  INTEGERS(DO)         \
  EXACT_INTEGERS(DO)   \
  DO(short, short) DO(ushort, unsigned short) DO(size, size_t) DO(ptrdiff, ptrdiff_t)
#define OLD_ATOMIC_TYPES(DO) DO(int, int) DO(long, long) DO(longlong, long long)
#define LOGICAL_TYPES(DO) OLD_ATOMIC_TYPES(DO) DO(short, short)
#define ORDERED_TYPES(DO) LOGICAL_TYPES(DO) REALS(DO) DO(longdouble, long double)
#define ARITHMETIC_TYPES(DO) \
  ORDERED_TYPES(DO) DO(complexf, float complex) DO(complexd, double complex)
#define SIZES(DO) DO(8, 1) DO(16, 2) DO(32, 4) DO(64, 8) DO(128, 16)

/* ---- Transfers ---- */

/* Puts go to the next PE, each to another element of `there`, which then has what the PE before has
 * put; gets come from the next one. Sources are the elements 1, 2, 3, ... plus ten times the PE. */
#define TRANSFERS_OF(NAME, TYPE)                                                                \
  static void transfers_of_##NAME(void) {                                                       \
    TYPE *there = shmem_malloc(32 * sizeof *there), *source = shmem_malloc(8 * sizeof *source); \
    TYPE got[8];                                                                                \
    memset(there, 0, 32 * sizeof *there);                                                       \
    for (int i = 0; i < 8; i++) source[i] = (TYPE)(10 * me + i + 1);                            \
    settle();                                                                                   \
    shmem_##NAME##_p(&there[0], source[0], next);                                               \
    shmem_ctx_##NAME##_p(ctx, &there[1], source[1], next);                                      \
    shmem_##NAME##_put(&there[2], &source[2], 2, next);                                         \
    shmem_ctx_##NAME##_put(ctx, &there[4], &source[4], 2, next);                                \
    shmem_##NAME##_iput(&there[6], &source[0], 2, 3, 2, next);                                  \
    shmem_ctx_##NAME##_iput(ctx, &there[10], &source[0], 2, 3, 2, next);                        \
    shmem_##NAME##_put_nbi(&there[14], &source[0], 2, next);                                    \
    shmem_ctx_##NAME##_put_nbi(ctx, &there[16], &source[2], 2, next);                           \
    settle();                                                                                   \
    static const int expected[18] = {1, 2, 3, 4, 5, 6, 1, 0, 4, 0, 1, 0, 4, 0, 1, 2, 3, 4};     \
    for (int i = 0; i < 18; i++) {                                                              \
      TYPE value = (TYPE)(expected[i] ? 10 * previous + expected[i] : 0);                       \
      check(there[i] == value, "put of " #NAME);                                                \
    }                                                                                           \
    check(shmem_##NAME##_g(&source[6], next) == (TYPE)(10 * next + 7), #NAME "_g");             \
    check(shmem_ctx_##NAME##_g(ctx, &source[7], next) == (TYPE)(10 * next + 8), #NAME "_g");    \
    memset(got, 0, sizeof got);                                                                 \
    shmem_##NAME##_get(&got[0], &source[0], 1, next);                                           \
    shmem_ctx_##NAME##_get(ctx, &got[1], &source[1], 1, next);                                  \
    shmem_##NAME##_iget(&got[2], &source[2], 2, 1, 2, next);                                    \
    shmem_ctx_##NAME##_iget(ctx, &got[3], &source[4], 2, 1, 2, next);                           \
    shmem_##NAME##_get_nbi(&got[6], &source[6], 1, next);                                       \
    shmem_ctx_##NAME##_get_nbi(ctx, &got[7], &source[7], 1, next);                              \
    settle();                                                                                   \
    static const int order[8] = {1, 2, 3, 5, 4, 6, 7, 8};                                       \
    for (int i = 0; i < 8; i++) check(got[i] == (TYPE)(10 * next + order[i]), "get of " #NAME); \
    shmem_free(source);                                                                         \
    shmem_free(there);                                                                          \
  }
RMA_TYPES(TRANSFERS_OF)

/* Blocks of bytes; strides are in elements of that size. */
#define BLOCKS_OF(BITS, size)                                                                      \
  static void blocks_of_##BITS(void) {                                                             \
    unsigned char *there = shmem_calloc(16, size), *source = shmem_malloc(4 * size), got[12 * 16]; \
    memset(source, me + 1, 4 * size);                                                              \
    memset(got, 0, sizeof got);                                                                    \
    settle();                                                                                      \
    shmem_put##BITS(there, source, 2, next);                                                       \
    shmem_ctx_put##BITS(ctx, there + 2 * size, source, 2, next);                                   \
    shmem_put##BITS##_nbi(there + 4 * size, source, 2, next);                                      \
    shmem_ctx_put##BITS##_nbi(ctx, there + 6 * size, source, 2, next);                             \
    shmem_get##BITS(got, source, 2, next);                                                         \
    shmem_ctx_get##BITS(ctx, got + 2 * size, source, 2, next);                                     \
    shmem_get##BITS##_nbi(got + 4 * size, source, 2, next);                                        \
    shmem_ctx_get##BITS##_nbi(ctx, got + 6 * size, source, 2, next);                               \
    STRIDED_BLOCKS(BITS, size)                                                                     \
    settle();                                                                                      \
    for (int i = 0; i < 8 * size; i++)                                                             \
      check(there[i] == previous + 1 && got[i] == next + 1, "block of " #BITS);                    \
    shmem_free(source);                                                                            \
    shmem_free(there);                                                                             \
  }
#define STRIDED_BLOCKS(BITS, size)                                    \
  shmem_iput##BITS(there + 8 * size, source, 2, 1, 2, next);          \
  shmem_ctx_iput##BITS(ctx, there + 9 * size, source, 2, 1, 2, next); \
  shmem_iget##BITS(got + 8 * size, source, 2, 1, 2, next);            \
  shmem_ctx_iget##BITS(ctx, got + 9 * size, source, 2, 1, 2, next);   \
  settle();                                                           \
  for (int i = 8 * size; i < 12 * size; i++)                          \
    check(there[i] == previous + 1 && got[i] == next + 1, "strided blocks of " #BITS);
SIZES(BLOCKS_OF)
#undef STRIDED_BLOCKS
#define STRIDED_BLOCKS(BITS, size)
BLOCKS_OF(mem, 1)

/* ---- Atomic operations, on a word of the next PE that nobody else changes ---- */

/* Open MPI 4.1 writes 8 bytes where the caller of a comparison of 4 bytes has 4. */
#define CAN_COMPARE(TYPE) (sizeof(TYPE) == 8)

#define EXPECT(what, expected, ...) check((__VA_ARGS__) == (expected), what)

#define EXTENDED_ATOMICS_OF(NAME, TYPE)                                                  \
  static void extended_atomics_of_##NAME(void) {                                         \
    TYPE *word = shmem_calloc(1, sizeof *word);                                          \
    settle();                                                                            \
    shmem_##NAME##_atomic_set(word, 5, next);                                            \
    shmem_quiet();                                                                       \
    EXPECT(#NAME "_atomic_fetch", 5, shmem_##NAME##_atomic_fetch(word, next));           \
    EXPECT(#NAME "_atomic_swap", 5, shmem_##NAME##_atomic_swap(word, 6, next));          \
    shmem_ctx_##NAME##_atomic_set(ctx, word, 7, next);                                   \
    shmem_ctx_quiet(ctx);                                                                \
    EXPECT(#NAME "_atomic_fetch", 7, shmem_ctx_##NAME##_atomic_fetch(ctx, word, next));  \
    EXPECT(#NAME "_atomic_swap", 7, shmem_ctx_##NAME##_atomic_swap(ctx, word, 8, next)); \
    settle();                                                                            \
    check(*word == 8, #NAME "_atomic_swap");                                             \
    shmem_free(word);                                                                    \
  }
INTEGERS(EXTENDED_ATOMICS_OF)
REALS(EXTENDED_ATOMICS_OF)

#define ATOMICS_OF(NAME, TYPE)                                                                   \
  static void atomics_of_##NAME(void) {                                                          \
    TYPE *word = shmem_calloc(1, sizeof *word);                                                  \
    settle();                                                                                    \
    shmem_##NAME##_atomic_add(word, 5, next);                                                    \
    shmem_##NAME##_atomic_inc(word, next);                                                       \
    shmem_quiet();                                                                               \
    EXPECT(#NAME "_atomic_fetch_add", 6, shmem_##NAME##_atomic_fetch_add(word, 2, next));        \
    EXPECT(#NAME "_atomic_fetch_inc", 8, shmem_##NAME##_atomic_fetch_inc(word, next));           \
    if (CAN_COMPARE(TYPE))                                                                       \
      EXPECT(#NAME "_atomic_compare_swap", 9,                                                    \
             shmem_##NAME##_atomic_compare_swap(word, 9, 20, next));                             \
    else shmem_##NAME##_put(word, &(TYPE){20}, 1, next), shmem_quiet();                          \
    shmem_ctx_##NAME##_atomic_add(ctx, word, 5, next);                                           \
    shmem_ctx_##NAME##_atomic_inc(ctx, word, next);                                              \
    shmem_ctx_quiet(ctx);                                                                        \
    EXPECT(#NAME "_atomic_fetch_add", 26,                                                        \
           shmem_ctx_##NAME##_atomic_fetch_add(ctx, word, 2, next));                             \
    EXPECT(#NAME "_atomic_fetch_inc", 28, shmem_ctx_##NAME##_atomic_fetch_inc(ctx, word, next)); \
    if (CAN_COMPARE(TYPE))                                                                       \
      EXPECT(#NAME "_atomic_compare_swap", 29,                                                   \
             shmem_ctx_##NAME##_atomic_compare_swap(ctx, word, 29, 40, next));                   \
    else shmem_##NAME##_put(word, &(TYPE){40}, 1, next), shmem_quiet();                          \
    settle();                                                                                    \
    check(*word == 40, #NAME "_atomic_compare_swap");                                            \
    shmem_free(word);                                                                            \
  }
INTEGERS(ATOMICS_OF)

/* Those that fetch, too, do not do what they should with Open MPI 4.1: they are called, and that is
 * all. */
#define BITWISE_OF(NAME, TYPE)                                              \
  static void bitwise_of_##NAME(void) {                                     \
    TYPE *word = shmem_calloc(2, sizeof *word);                             \
    settle();                                                               \
    shmem_##NAME##_atomic_or(word, 15, next);                               \
    shmem_##NAME##_atomic_and(word, 7, next);                               \
    shmem_##NAME##_atomic_xor(word, 2, next);                               \
    shmem_quiet();                                                          \
    shmem_ctx_##NAME##_atomic_or(ctx, word, 24, next);                      \
    shmem_ctx_##NAME##_atomic_and(ctx, word, 12, next);                     \
    shmem_ctx_##NAME##_atomic_xor(ctx, word, 1, next);                      \
    TYPE fetched = 0;                                                       \
    fetched += shmem_##NAME##_atomic_fetch_or(word + 1, 1, next);           \
    fetched += shmem_##NAME##_atomic_fetch_and(word + 1, 1, next);          \
    fetched += shmem_##NAME##_atomic_fetch_xor(word + 1, 1, next);          \
    fetched += shmem_ctx_##NAME##_atomic_fetch_or(ctx, word + 1, 1, next);  \
    fetched += shmem_ctx_##NAME##_atomic_fetch_and(ctx, word + 1, 1, next); \
    fetched += shmem_ctx_##NAME##_atomic_fetch_xor(ctx, word + 1, 1, next); \
    (void)fetched;                                                          \
    settle();                                                               \
    check(word[0] == 13, "bitwise operations of " #NAME);                   \
    shmem_free(word);                                                       \
  }
INTEGERS(BITWISE_OF)
EXACT_INTEGERS(BITWISE_OF)

#define OLD_REALS_OF(NAME, TYPE)                                  \
  static void old_atomics_of_real_##NAME(void) {                  \
    TYPE *word = shmem_calloc(1, sizeof *word);                   \
    settle();                                                     \
    shmem_##NAME##_set(word, 5, next);                            \
    shmem_quiet();                                                \
    EXPECT(#NAME "_fetch", 5, shmem_##NAME##_fetch(word, next));  \
    EXPECT(#NAME "_swap", 5, shmem_##NAME##_swap(word, 6, next)); \
    settle();                                                     \
    shmem_free(word);                                             \
  }
OLD_ATOMIC_TYPES(OLD_REALS_OF)
REALS(OLD_REALS_OF)

#define OLD_ATOMICS_OF(NAME, TYPE)                                                             \
  static void old_atomics_of_##NAME(void) {                                                    \
    TYPE *word = shmem_calloc(1, sizeof *word);                                                \
    settle();                                                                                  \
    shmem_##NAME##_add(word, 5, next);                                                         \
    shmem_##NAME##_inc(word, next);                                                            \
    shmem_quiet();                                                                             \
    EXPECT(#NAME "_fadd", 6, shmem_##NAME##_fadd(word, 2, next));                              \
    EXPECT(#NAME "_finc", 8, shmem_##NAME##_finc(word, next));                                 \
    if (CAN_COMPARE(TYPE)) EXPECT(#NAME "_cswap", 9, shmem_##NAME##_cswap(word, 9, 20, next)); \
    else shmem_##NAME##_put(word, &(TYPE){20}, 1, next), shmem_quiet();                        \
    settle();                                                                                  \
    check(*word == 20, #NAME "_cswap");                                                        \
    shmem_free(word);                                                                          \
  }
OLD_ATOMIC_TYPES(OLD_ATOMICS_OF)

/* ---- Waits ---- */

#define WAITS_OF(NAME, TYPE)                                               \
  static void waits_of_##NAME(void) {                                      \
    TYPE *word = shmem_calloc(1, sizeof *word);                            \
    settle();                                                              \
    shmem_##NAME##_p(word, 1, next);                                       \
    shmem_##NAME##_wait_until(word, SHMEM_CMP_EQ, 1);                      \
    check(*word == 1, #NAME "_wait_until");                                \
    check(shmem_##NAME##_test(word, SHMEM_CMP_NE, 0) != 0, #NAME "_test"); \
    check(shmem_##NAME##_test(word, SHMEM_CMP_NE, 1) == 0, #NAME "_test"); \
    settle();                                                              \
    shmem_free(word);                                                      \
  }
SYNC_TYPES(WAITS_OF)

#define OLD_WAITS_OF(NAME, TYPE)                \
  static void old_waits_of_##NAME(void) {       \
    TYPE *word = shmem_calloc(1, sizeof *word); \
    settle();                                   \
    shmem_##NAME##_p(word, 1, next);            \
    shmem_##NAME##_wait(word, 0);               \
    check(*word == 1, #NAME "_wait");           \
    settle();                                   \
    shmem_free(word);                           \
  }
LOGICAL_TYPES(OLD_WAITS_OF)

static void wait_of_long(void) {
  long *word = shmem_calloc(1, sizeof *word);
  settle();
  shmem_long_p(word, 1, next);
  shmem_wait(word, 0);
  check(*word == 1, "shmem_wait");
  settle();
  shmem_free(word);
}

/* ---- Collective operations: of all PEs, and where `size` is smaller of the first ones ---- */

static long *sync_of(int length) {
  long *sync = shmem_malloc(length * sizeof *sync);
  for (int i = 0; i < length; i++) sync[i] = SHMEM_SYNC_VALUE;
  shmem_barrier_all();
  return sync;
}

static void free_together(void *memory) {
  shmem_barrier_all();
  shmem_free(memory);
}

#define COLLECTIVES_OF(BITS, TYPE)                                                             \
  static void collectives_of_##BITS(int size) {                                                \
    long *sync = sync_of(SHMEM_SYNC_SIZE), *all_sync = sync_of(SHMEM_ALLTOALL_SYNC_SIZE);      \
    long *strided_sync = sync_of(SHMEM_ALLTOALLS_SYNC_SIZE);                                   \
    long *collect_sync = sync_of(SHMEM_COLLECT_SYNC_SIZE);                                     \
    long *fcollect_sync = sync_of(SHMEM_COLLECT_SYNC_SIZE);                                    \
    TYPE *source = shmem_malloc(4 * pes * sizeof *source);                                     \
    TYPE *dest = shmem_calloc(4 * pes, sizeof *dest);                                          \
    for (int i = 0; i < 4 * pes; i++) source[i] = (TYPE)(100 * me + i);                        \
    shmem_barrier_all();                                                                       \
    if (me < size) {                                                                           \
      shmem_broadcast##BITS(dest, source, 2, size - 1, 0, 0, size, sync);                      \
      if (me != size - 1) check(dest[1] == (TYPE)(100 * (size - 1) + 1), "broadcast" #BITS);   \
      shmem_barrier(0, 0, size, sync_of_barrier);                                              \
      shmem_collect##BITS(dest, source, me == 0 ? 2 : 1, 0, 0, size, collect_sync);            \
      check(dest[1] == 1, "collect" #BITS);                                                    \
      check(dest[size] == (TYPE)(100 * (size - 1)) || size == 1, "collect" #BITS);             \
      shmem_barrier(0, 0, size, sync_of_barrier);                                              \
      shmem_fcollect##BITS(dest, source, 2, 0, 0, size, fcollect_sync);                        \
      check(dest[2 * size - 1] == (TYPE)(100 * (size - 1) + 1), "fcollect" #BITS);             \
      shmem_barrier(0, 0, size, sync_of_barrier);                                              \
      shmem_alltoall##BITS(dest, source, 1, 0, 0, size, all_sync);                             \
      for (int i = 0; i < size; i++) check(dest[i] == (TYPE)(100 * i + me), "alltoall" #BITS); \
      shmem_sync(0, 0, size, sync_of_sync);                                                    \
      shmem_alltoalls##BITS(dest, source, 2, 2, 1, 0, 0, size, strided_sync);                  \
      for (int i = 0; i < size; i++)                                                           \
        check(dest[2 * i] == (TYPE)(100 * i + 2 * me), "alltoalls" #BITS);                     \
    }                                                                                          \
    free_together(dest);                                                                       \
    free_together(source);                                                                     \
    free_together(fcollect_sync);                                                              \
    free_together(collect_sync);                                                               \
    free_together(strided_sync);                                                               \
    free_together(all_sync);                                                                   \
    free_together(sync);                                                                       \
  }
static long *sync_of_barrier, *sync_of_sync;
COLLECTIVES_OF(32, uint32_t)
COLLECTIVES_OF(64, uint64_t)

/* Two elements: the number of the PE, from 1, and 3. */
#define REDUCE(NAME, TYPE, operation, first, second)                                        \
  static void operation##_of_##NAME(int size) {                                             \
    long *sync = sync_of(SHMEM_REDUCE_SYNC_SIZE);                                           \
    TYPE *work = shmem_malloc((SHMEM_REDUCE_MIN_WRKDATA_SIZE + 2) * sizeof *work);          \
    TYPE *source = shmem_malloc(2 * sizeof *source), *dest = shmem_calloc(2, sizeof *dest); \
    source[0] = (TYPE)(me + 1);                                                             \
    source[1] = (TYPE)3;                                                                    \
    int sum = size * (size + 1) / 2, product = 1, all = -1, any = 0, odd = 0, power = 1;    \
    for (int i = 1; i <= size; i++) product *= i, all &= i, any |= i, odd ^= i, power *= 3; \
    (void)sum, (void)product, (void)all, (void)any, (void)odd, (void)power;                 \
    shmem_barrier_all();                                                                    \
    if (me < size) {                                                                        \
      shmem_##NAME##_##operation##_to_all(dest, source, 2, 0, 0, size, work, sync);         \
      check(dest[0] == (TYPE)(first) && dest[1] == (TYPE)(second), #NAME "_" #operation);   \
    }                                                                                       \
    free_together(dest);                                                                    \
    free_together(source);                                                                  \
    free_together(work);                                                                    \
    free_together(sync);                                                                    \
  }
#define AND_OF(NAME, TYPE) REDUCE(NAME, TYPE, and, all, 3)
#define OR_OF(NAME, TYPE) REDUCE(NAME, TYPE, or, any, 3)
#define XOR_OF(NAME, TYPE) REDUCE(NAME, TYPE, xor, odd, size % 2 ? 3 : 0)
#define MAX_OF(NAME, TYPE) REDUCE(NAME, TYPE, max, size, 3)
#define MIN_OF(NAME, TYPE) REDUCE(NAME, TYPE, min, 1, 3)
#define SUM_OF(NAME, TYPE) REDUCE(NAME, TYPE, sum, sum, 3 * size)
#define PROD_OF(NAME, TYPE) REDUCE(NAME, TYPE, prod, product, power)
LOGICAL_TYPES(AND_OF)
LOGICAL_TYPES(OR_OF)
LOGICAL_TYPES(XOR_OF)
ORDERED_TYPES(MAX_OF)
ORDERED_TYPES(MIN_OF)
ARITHMETIC_TYPES(SUM_OF)
ARITHMETIC_TYPES(PROD_OF)

/* ---- Locks and memory ---- */

static void locks(void) {
  long *lock = shmem_calloc(1, sizeof *lock), *count = shmem_calloc(1, sizeof *count);
  for (int i = 0; i < 3; i++) {
    if (i % 2 == 0) shmem_set_lock(lock);
    else
      while (shmem_test_lock(lock)) {
      }
    long value = shmem_long_g(count, 0);
    shmem_long_p(count, value + 1, 0);
    shmem_quiet();
    shmem_clear_lock(lock);
  }
  shmem_barrier_all();
  check(shmem_long_g(count, 0) == 3 * pes, "lock");
  free_together(count);
  free_together(lock);
}

static void memory(void) {
  char *aligned = shmem_align(256, 100);
  check((uintptr_t)aligned % 256 == 0, "shmem_align");
  int *words = shmem_malloc(4 * sizeof *words);
  words[3] = 42 + me;
  words = shmem_realloc(words, 1000 * sizeof *words);
  check(words[3] == 42 + me, "shmem_realloc");
  shmem_sync_all();
  check(shmem_int_g(&words[3], next) == 42 + next, "shmem_int_g after shmem_realloc");
  free_together(words);
  free_together(aligned);
}

/* ---- Everything ---- */

#define RUN_TRANSFERS(NAME, TYPE) transfers_of_##NAME();
#define RUN_BLOCKS(BITS, size) blocks_of_##BITS();
#define RUN_EXTENDED(NAME, TYPE) extended_atomics_of_##NAME();
#define RUN_ATOMICS(NAME, TYPE) atomics_of_##NAME();
#define RUN_BITWISE(NAME, TYPE) bitwise_of_##NAME();
#define RUN_OLD_REALS(NAME, TYPE) old_atomics_of_real_##NAME();
#define RUN_OLD_ATOMICS(NAME, TYPE) old_atomics_of_##NAME();
#define RUN_WAITS(NAME, TYPE) waits_of_##NAME();
#define RUN_OLD_WAITS(NAME, TYPE) old_waits_of_##NAME();
#define RUN_LOGICAL(NAME, TYPE) \
  and_of_##NAME(size);          \
  or_of_##NAME(size);           \
  xor_of_##NAME(size);
#define RUN_ORDERED(NAME, TYPE) \
  max_of_##NAME(size);          \
  min_of_##NAME(size);
#define RUN_ARITHMETIC(NAME, TYPE) \
  sum_of_##NAME(size);             \
  prod_of_##NAME(size);

static void collectives(int size) {
  collectives_of_32(size);
  collectives_of_64(size);
  LOGICAL_TYPES(RUN_LOGICAL)
  ORDERED_TYPES(RUN_ORDERED)
  ARITHMETIC_TYPES(RUN_ARITHMETIC)
}

int main(void) {
  int provided;
  if (shmem_init_thread(SHMEM_THREAD_SINGLE, &provided) != 0) return 2;
  me = shmem_my_pe();
  pes = shmem_n_pes();
  next = (me + 1) % pes;
  previous = (me + pes - 1) % pes;
  if (shmem_ctx_create(0, &ctx) != 0) ctx = SHMEM_CTX_DEFAULT;
  sync_of_barrier = sync_of(SHMEM_BARRIER_SYNC_SIZE);
  sync_of_sync = sync_of(SHMEM_BARRIER_SYNC_SIZE);

  RMA_TYPES(RUN_TRANSFERS)
  SIZES(RUN_BLOCKS)
  blocks_of_mem();
  shmem_fence();
  shmem_ctx_fence(ctx);
  INTEGERS(RUN_EXTENDED)
  REALS(RUN_EXTENDED)
  INTEGERS(RUN_ATOMICS)
  INTEGERS(RUN_BITWISE)
  EXACT_INTEGERS(RUN_BITWISE)
  OLD_ATOMIC_TYPES(RUN_OLD_REALS)
  REALS(RUN_OLD_REALS)
  OLD_ATOMIC_TYPES(RUN_OLD_ATOMICS)
  SYNC_TYPES(RUN_WAITS)
  LOGICAL_TYPES(RUN_OLD_WAITS)
  wait_of_long();
  collectives(pes);
  if (pes > 1) collectives(pes - 1);
  locks();
  memory();

  int *all_failures = shmem_calloc(1, sizeof *all_failures);
  shmem_int_atomic_add(all_failures, failures, 0);
  shmem_barrier_all();
  int sum = shmem_int_g(all_failures, 0);
  if (me == 0) printf(sum == 0 ? "verified\n" : "%d checks failed\n", sum);
  free_together(all_failures);
  free_together(sync_of_sync);
  free_together(sync_of_barrier);
  if (ctx != SHMEM_CTX_DEFAULT) shmem_ctx_destroy(ctx);
  shmem_finalize();
  return sum != 0;
}
