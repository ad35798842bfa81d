// threads: 1 2 3 4 7
// Atomic operations of every type and operation: values, old values, and sums of what all threads do at once.
#include <upc.h>
#include <upc_atomic.h>
#include <stdint.h>
#include "check.h"

#ifndef __UPC_ATOMIC__
#error "__UPC_ATOMIC__ is not defined"
#endif

#define ACCESS (UPC_GET | UPC_SET | UPC_CSWAP)
#define NUMERIC (UPC_ADD | UPC_SUB | UPC_MULT | UPC_INC | UPC_DEC | UPC_MIN | UPC_MAX)
#define BITWISE (UPC_AND | UPC_OR | UPC_XOR)
#define ROUNDS 200

#define EXPECT(call_op, operand1, operand2, before, after)                        \
    do {                                                                          \
        old = 77;                                                                 \
        a = (operand1), b = (operand2);                                           \
        upc_atomic_relaxed(domain, &old, call_op, &own[MYTHREAD], &a, &b);        \
        CHECK(old == (before));                                                   \
        CHECK(own[MYTHREAD] == (after));                                          \
    } while (0)

#define TEST(NAME, TYPE, CODE, OPS)                                                                            \
    shared TYPE own_##NAME[THREADS], sum_##NAME, low_##NAME, high_##NAME, won_##NAME, product_##NAME;          \
    void test_##NAME(void)                                                                                     \
    {                                                                                                          \
        upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(CODE, OPS, UPC_ATOMIC_HINT_DEFAULT);           \
        shared TYPE *own = own_##NAME;                                                                         \
        TYPE old, a, b;                                                                                        \
        int i;                                                                                                 \
                                                                                                               \
        CHECK(domain != NULL);                                                                                 \
        EXPECT(UPC_SET, 10, 0, 0, 10);                                                                         \
        EXPECT(UPC_GET, 0, 0, 10, 10);                                                                         \
        EXPECT(UPC_ADD, 5, 0, 10, 15);                                                                         \
        EXPECT(UPC_SUB, 3, 0, 15, 12);                                                                         \
        EXPECT(UPC_MULT, 4, 0, 12, 48);                                                                        \
        EXPECT(UPC_INC, 0, 0, 48, 49);                                                                         \
        EXPECT(UPC_DEC, 0, 0, 49, 48);                                                                         \
        EXPECT(UPC_MIN, 50, 0, 48, 48);                                                                        \
        EXPECT(UPC_MIN, 40, 0, 48, 40);                                                                        \
        EXPECT(UPC_MAX, 30, 0, 40, 40);                                                                        \
        EXPECT(UPC_MAX, 60, 0, 40, 60);                                                                        \
        EXPECT(UPC_CSWAP, 59, 1, 60, 60);                                                                      \
        EXPECT(UPC_CSWAP, 60, 25, 60, 25);                                                                     \
        if ((OPS) & UPC_AND) {                                                                                 \
            EXPECT(UPC_AND, 24, 0, 25, 24);                                                                    \
            EXPECT(UPC_OR, 7, 0, 24, 31);                                                                      \
            EXPECT(UPC_XOR, 3, 0, 31, 28);                                                                     \
        }                                                                                                      \
        upc_barrier;                                                                                           \
        for (i = 0; i < ROUNDS; i++) {                                                                         \
            a = 2;                                                                                             \
            upc_atomic_relaxed(domain, NULL, UPC_ADD, &sum_##NAME, &a, NULL);                                  \
            upc_atomic_strict(domain, &old, UPC_INC, &sum_##NAME, NULL, NULL);                                 \
            upc_atomic_strict(domain, NULL, UPC_DEC, &sum_##NAME, NULL, NULL);                                 \
            a = (TYPE)(MYTHREAD + 1), b = (TYPE)(THREADS - MYTHREAD);                                          \
            upc_atomic_relaxed(domain, NULL, UPC_MAX, &high_##NAME, &a, NULL);                                 \
            a = (TYPE)0, b = (TYPE)(MYTHREAD + 1);                                                             \
            upc_atomic_strict(domain, &old, UPC_CSWAP, &won_##NAME, &a, &b);                                   \
            CHECK(old == (i == 0 && old == 0 ? (TYPE)0 : won_##NAME));                                         \
        }                                                                                                      \
        a = 1;                                                                                                 \
        if (MYTHREAD == 0)                                                                                     \
            upc_atomic_relaxed(domain, NULL, UPC_SET, &product_##NAME, &a, NULL);                              \
        upc_barrier;                                                                                           \
        a = 2;                                                                                                 \
        upc_atomic_relaxed(domain, NULL, UPC_MULT, &product_##NAME, &a, NULL);                                 \
        upc_barrier;                                                                                           \
        CHECK(sum_##NAME == (TYPE)(2 * ROUNDS * THREADS));                                                     \
        CHECK(high_##NAME == (TYPE)THREADS);                                                                   \
        CHECK(won_##NAME >= 1 && won_##NAME <= THREADS);                                                       \
        CHECK(product_##NAME == (TYPE)(1LL << THREADS));                                                         \
        CHECK_EQUAL(upc_atomic_isfast(CODE, OPS, &sum_##NAME), UPC_ATOMIC_PERFORMANCE_FAST);                   \
        CHECK_EQUAL(upc_atomic_query(CODE, OPS, NULL), UPC_ATOMIC_PERFORMANCE_FAST);                           \
        upc_all_atomicdomain_free(domain);                                                                     \
    }

TEST(int, int, UPC_INT, ACCESS | NUMERIC | BITWISE)
TEST(uint, unsigned, UPC_UINT, ACCESS | NUMERIC | BITWISE)
TEST(long, long, UPC_LONG, ACCESS | NUMERIC | BITWISE)
TEST(ulong, unsigned long, UPC_ULONG, ACCESS | NUMERIC | BITWISE)
TEST(int32, int32_t, UPC_INT32, ACCESS | NUMERIC | BITWISE)
TEST(uint32, uint32_t, UPC_UINT32, ACCESS | NUMERIC | BITWISE)
TEST(int64, int64_t, UPC_INT64, ACCESS | NUMERIC | BITWISE)
TEST(uint64, uint64_t, UPC_UINT64, ACCESS | NUMERIC | BITWISE)
TEST(float, float, UPC_FLOAT, ACCESS | NUMERIC)
TEST(double, double, UPC_DOUBLE, ACCESS | NUMERIC)

shared int negative;
shared unsigned large;
shared long wide[THREADS];

// Comparisons follow the sign of the type, and all bits of it count.
void test_signs(void)
{
    upc_atomicdomain_t *ints = upc_all_atomicdomain_alloc(UPC_INT, UPC_MIN | UPC_MAX, UPC_ATOMIC_HINT_LATENCY);
    upc_atomicdomain_t *unsigneds = upc_all_atomicdomain_alloc(UPC_UINT, UPC_MIN | UPC_MAX, UPC_ATOMIC_HINT_THROUGHPUT);
    upc_atomicdomain_t *longs = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD | UPC_CSWAP, 0);
    int i = -5 - MYTHREAD;
    unsigned u = 0xfffffff0u + (unsigned)MYTHREAD;
    long l = 1L << 40, m = -1, old;

    upc_atomic_relaxed(ints, NULL, UPC_MIN, &negative, &i, NULL);
    upc_atomic_relaxed(unsigneds, NULL, UPC_MAX, &large, &u, NULL);
    upc_atomic_relaxed(longs, NULL, UPC_ADD, &wide[(MYTHREAD + 1) % THREADS], &l, NULL);
    upc_barrier;
    CHECK_EQUAL(negative, -4 - THREADS);
    CHECK_EQUAL(large, 0xfffffff0u + (unsigned)THREADS - 1);
    CHECK_EQUAL(wide[MYTHREAD], 1L << 40);
    upc_atomic_strict(longs, &old, UPC_CSWAP, &wide[MYTHREAD], &l, &m);
    CHECK_EQUAL(old, 1L << 40);
    CHECK_EQUAL(wide[MYTHREAD], -1);
    upc_all_atomicdomain_free(ints);
    upc_all_atomicdomain_free(unsigneds);
    upc_all_atomicdomain_free(longs);
    upc_all_atomicdomain_free(NULL);
}

shared double number[THREADS];

// The least of two values is (x < y ? x : y), x being the old one, so the operand if one of them is not a number.
void test_not_a_number(void)
{
    upc_atomicdomain_t *doubles = upc_all_atomicdomain_alloc(UPC_DOUBLE, UPC_MIN | UPC_MAX, 0);
    double one = 1, none = __builtin_nan(""), zero = 0;
    upc_op_t op;

    for (op = UPC_MIN; op <= UPC_MAX; op += UPC_MAX - UPC_MIN) {
        number[MYTHREAD] = none;
        upc_atomic_relaxed(doubles, NULL, op, &number[MYTHREAD], &one, NULL);
        CHECK(number[MYTHREAD] == 1);
        upc_atomic_relaxed(doubles, NULL, op, &number[MYTHREAD], &none, NULL);
        CHECK(number[MYTHREAD] != number[MYTHREAD]);
        number[MYTHREAD] = -0.0;
        upc_atomic_strict(doubles, NULL, op, &number[MYTHREAD], &zero, NULL);
        CHECK(!__builtin_signbit(number[MYTHREAD]));
    }
    upc_all_atomicdomain_free(doubles);
}

int main(void)
{
    test_not_a_number();
    test_int();
    test_uint();
    test_long();
    test_ulong();
    test_int32();
    test_uint32();
    test_int64();
    test_uint64();
    test_float();
    test_double();
    test_signs();
    return finish();
}
