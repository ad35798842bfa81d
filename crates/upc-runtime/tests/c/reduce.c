/* Computation collectives: each type and operator, layouts, phases and flags, against a serial computation in the
 * order of the indices. */
#include "test.h"

SHARED(from, 1 << 20);
SHARED(to, 1 << 20);

static const int flags_in[] = {0, UPC_IN_NOSYNC, UPC_IN_MYSYNC, UPC_IN_ALLSYNC};
static const int flags_out[] = {0, UPC_OUT_NOSYNC, UPC_OUT_MYSYNC, UPC_OUT_ALLSYNC};
static const int operators[] = {UPC_ADD, UPC_MULT, UPC_LOGAND, UPC_LOGOR, UPC_MIN,  UPC_MAX,
                                UPC_FUNC, UPC_NONCOMM_FUNC, UPC_AND, UPC_OR, UPC_XOR};
static unsigned long seed = 42;
static int round_number;

/* Element i of a layout, by stepping a pointer as the language does. */
static upcr_pts at(upcr_pts p, long i, long size, long blk) {
  return blk == 0 ? upcr_add_indef(p, i, (unsigned long)size) : upcr_add_blocked(p, i, (unsigned long)size, blk);
}

#define TEST(X, TYPE, IS_INTEGER)                                                                                   \
  extern void upc_all_reduce##X(upcr_pts, upcr_pts, int, size_t, size_t, TYPE (*)(TYPE, TYPE), int);                \
  extern void upc_all_prefix_reduce##X(upcr_pts, upcr_pts, int, size_t, size_t, TYPE (*)(TYPE, TYPE), int);         \
  static TYPE function_##X(TYPE a, TYPE b) { return (TYPE)(a > b ? a : b); }                                        \
  /* Associative, not commutative: the first operand wins. */                                                       \
  static TYPE noncommutative_##X(TYPE a, TYPE b) { return a != 0 ? a : b; }                                         \
  static TYPE apply_##X(int op, TYPE a, TYPE b) {                                                                   \
    switch (op) {                                                                                                   \
    case UPC_ADD: return (TYPE)(a + b);                                                                             \
    case UPC_MULT: return (TYPE)(a * b);                                                                            \
    case UPC_LOGAND: return (TYPE)(a && b);                                                                         \
    case UPC_LOGOR: return (TYPE)(a || b);                                                                          \
    case UPC_MIN: return a < b ? a : b;                                                                             \
    case UPC_MAX: return a > b ? a : b;                                                                             \
    case UPC_FUNC: return function_##X(a, b);                                                                       \
    case UPC_NONCOMM_FUNC: return noncommutative_##X(a, b);                                                         \
    case UPC_AND: return (TYPE)(IS_INTEGER ? (unsigned long)a & (unsigned long)b : 0);                              \
    case UPC_OR: return (TYPE)(IS_INTEGER ? (unsigned long)a | (unsigned long)b : 0);                               \
    default: return (TYPE)(IS_INTEGER ? (unsigned long)a ^ (unsigned long)b : 0);                                   \
    }                                                                                                               \
  }                                                                                                                 \
  static void one_##X(int op, size_t n, long blk, int t, long phase, int flags, int prefix) {                       \
    TYPE model[600];                                                                                                \
    unsigned long random = seed + (unsigned long)++round_number * 2654435761ul;                                     \
    /* Small numbers: sums and products of floating point numbers are exact. */                                     \
    for (size_t i = 0; i < n; i++) model[i] = (TYPE)(op == UPC_MULT ? next_random(&random) % 16 == 0 ? 2 : 1        \
                                                     : next_random(&random) % 100 < 50 ? 0 : next_random(&random) % 50); \
    upcr_pts src = upcr_make(upcr_obj_from.addr + ((unsigned long)t << UPCR_SHIFT) +                                \
                                 (unsigned long)phase * sizeof(TYPE), (unsigned long)phase);                        \
    long to_phase = blk > 1 ? (phase + 1) % blk : 0;                                                                \
    int to_thread = (t + 1) % THREADS;                                                                              \
    upcr_pts dst = upcr_make(upcr_obj_to.addr + ((unsigned long)to_thread << UPCR_SHIFT) +                          \
                                 (unsigned long)to_phase * sizeof(TYPE), (unsigned long)to_phase);                  \
    for (size_t i = 0; i < n; i++) {                                                                                \
      upcr_pts p = at(src, (long)i, sizeof(TYPE), blk);                                                             \
      if (upcr_thread_of(p.addr) == MYTHREAD) *(volatile TYPE *)p.addr = model[i];                                  \
    }                                                                                                               \
    if (flags & UPC_IN_NOSYNC) barrier();                                                                           \
    TYPE (*f)(TYPE, TYPE) = op == UPC_FUNC ? function_##X : op == UPC_NONCOMM_FUNC ? noncommutative_##X : NULL;     \
    if (prefix) upc_all_prefix_reduce##X(dst, src, op, n, (size_t)blk, f, flags);                                   \
    else upc_all_reduce##X(dst, src, op, n, (size_t)blk, f, flags);                                                 \
    if (flags & UPC_OUT_NOSYNC) barrier();                                                                          \
    TYPE expected = model[0];                                                                                       \
    for (size_t i = 0; i < n; i++) {                                                                                \
      if (i > 0) expected = apply_##X(op, expected, model[i]);                                                      \
      upcr_pts p = at(dst, (long)i, sizeof(TYPE), blk);                                                             \
      if (prefix && upcr_thread_of(p.addr) == MYTHREAD)                                                             \
        CHECK(*(volatile TYPE *)p.addr == expected, "prefix_reduce" #X " op %d n %zu blk %ld thread %d phase %ld flags %d: element %zu", op, n, blk, t, phase, flags, i); \
    }                                                                                                               \
    if (!prefix && to_thread == MYTHREAD)                                                                           \
      CHECK(*(volatile TYPE *)dst.addr == expected, "reduce" #X " op %d n %zu blk %ld thread %d phase %ld flags %d", op, n, blk, t, phase, flags); \
    barrier();                                                                                                      \
  }                                                                                                                 \
  static void test_##X(void) {                                                                                      \
    for (int o = 0; o < (IS_INTEGER ? 11 : 8); o++)                                                                 \
      for (int prefix = 0; prefix < 2; prefix++) {                                                                  \
        static const size_t counts[] = {1, 2, 7, 64, 600};                                                          \
        static const long blocks[] = {0, 1, 3, 10, 1000};                                                           \
        for (int c = 0; c < 5; c++)                                                                                 \
          for (int b = 0; b < 5; b++) {                                                                             \
            long phase = blocks[b] > 1 ? (c + o) % blocks[b] : 0;                                                   \
            int k = o + c + b;                                                                                      \
            one_##X(operators[o], counts[c], blocks[b], k % THREADS, phase, flags_in[k % 4] | flags_out[k / 4 % 4], prefix); \
          }                                                                                                         \
        for (int i = 0; i < 4; i++)                                                                                 \
          for (int j = 0; j < 4; j++)                                                                               \
            one_##X(operators[o], 37, 4, 0, 2, flags_in[i] | flags_out[j], prefix);                                 \
      }                                                                                                             \
  }

TEST(C, signed char, 1)
TEST(UC, unsigned char, 1)
TEST(S, signed short, 1)
TEST(US, unsigned short, 1)
TEST(I, signed int, 1)
TEST(UI, unsigned int, 1)
TEST(L, signed long, 1)
TEST(UL, unsigned long, 1)
TEST(F, float, 0)
TEST(D, double, 0)
TEST(LD, long double, 0)

/* Many without any synchronisation: partial results of different calls must not mix. */
static void in_a_row(void) {
  ON(from, MYTHREAD, int) = MYTHREAD + 1;
  barrier();
  for (int i = 0; i < 2000; i++)
    upc_all_reduceI(upcr_make(upcr_obj_to.addr + ((unsigned long)(i % THREADS) << UPCR_SHIFT) + (unsigned long)i * 4, 0),
                    BASE(from), UPC_ADD, (size_t)THREADS, 1, NULL, UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
  barrier();
  for (int i = 0; i < 2000; i++) {
    int sum = *(volatile int *)(upcr_obj_to.addr + ((unsigned long)(i % THREADS) << UPCR_SHIFT) + (unsigned long)i * 4);
    CHECK(sum == THREADS * (THREADS + 1) / 2, "call %d gave %d", i, sum);
  }
  barrier();
}

int upcr_user_main(int argc, char **argv) {
  test_C(), test_UC(), test_S(), test_US(), test_I(), test_UI(), test_L(), test_UL(), test_F(), test_D(), test_LD();
  in_a_row();
  OK();
  return 0;
}
