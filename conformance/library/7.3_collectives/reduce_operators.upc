// threads: 1 2 3 4 7
// Every operator on every type, for reductions and prefix reductions whose source and destination begin at any element
// and thread, against what one thread computes.
#include <upc.h>
#include <upc_collective.h>
#include "check.h"

#define B 3
#define N (4 * B * THREADS)

static int pick(int limit)
{
    static unsigned state = 12345; // the same on every thread

    state = state * 1103515245u + 12345u;
    return (int)(state >> 16) % limit;
}

// What is neither commutative nor anything else than associative: the later one, unless it is 1.
#define OWN(a, b) ((b) == 1 ? (a) : (b))

#define EXPECTED(TYPE, op, x, y)                                                                                    \
    ((op) == UPC_ADD ? (TYPE)((x) + (y)) : (op) == UPC_MULT ? (TYPE)((x) * (y)) : (op) == UPC_LOGAND ? (TYPE)((x) && (y)) \
     : (op) == UPC_LOGOR ? (TYPE)((x) || (y)) : (op) == UPC_MIN ? ((x) < (y) ? (x) : (y))                           \
     : (op) == UPC_MAX ? ((x) > (y) ? (x) : (y)) : (op) == UPC_FUNC ? (TYPE)((x) + (y)) : (TYPE)OWN(x, y))
#define EXPECTED_BITS(TYPE, op, x, y)                                                                               \
    ((op) == UPC_AND ? (TYPE)((x) & (y)) : (op) == UPC_OR ? (TYPE)((x) | (y)) : (op) == UPC_XOR ? (TYPE)((x) ^ (y)) \
                                                                           : EXPECTED(TYPE, op, x, y))

static const upc_op_t operators[] = {UPC_ADD, UPC_MULT, UPC_LOGAND, UPC_LOGOR, UPC_MIN, UPC_MAX, UPC_FUNC,
                                     UPC_NONCOMM_FUNC, UPC_AND, UPC_OR, UPC_XOR};

#define TEST(X, TYPE, OPERATORS, COMBINE)                                                                           \
    static shared TYPE cyclic_##X[N], cyclic_to_##X[N], results_##X[THREADS];                                       \
    static shared [B] TYPE blocked_##X[N], blocked_to_##X[N];                                                       \
    static shared [] TYPE flat_##X[20], flat_to_##X[20];                                                            \
    static TYPE plus_##X(TYPE a, TYPE b) { return (TYPE)(a + b); }                                                  \
    static TYPE own_##X(TYPE a, TYPE b) { return (TYPE)OWN(a, b); }                                                 \
    static void test_##X(void)                                                                                      \
    {                                                                                                               \
        int k, i, layout;                                                                                           \
                                                                                                                    \
        for (i = MYTHREAD; i < N; i += THREADS) {                                                                   \
            cyclic_##X[i] = (TYPE)(i % 5 == 0 ? 2 : i % 3);                                                         \
            blocked_##X[i] = (TYPE)(i % 4 + 1);                                                                     \
        }                                                                                                           \
        for (i = MYTHREAD; i < 20; i += THREADS)                                                                    \
            flat_##X[i] = (TYPE)(i % 3 + 1);                                                                        \
        upc_barrier;                                                                                                \
        for (k = 0; k < OPERATORS; k++) {                                                                           \
            upc_op_t op = operators[k];                                                                             \
            TYPE (*f)(TYPE, TYPE) = op == UPC_FUNC ? plus_##X : op == UPC_NONCOMM_FUNC ? own_##X : NULL;            \
                                                                                                                    \
            for (layout = 0; layout < 3; layout++) {                                                                \
                int first = pick(layout == 2 ? 8 : N / 2), to = pick(layout == 2 ? 8 : N / 2);                      \
                int n = 1 + pick(layout == 2 ? 12 : N / 2), root = pick(THREADS);                                   \
                TYPE expected = 0;                                                                                  \
                                                                                                                    \
                if (layout == 0) {                                                                                  \
                    upc_all_reduce##X(&results_##X[root], &cyclic_##X[first], op, n, 1, f, 0);                      \
                    upc_all_prefix_reduce##X(&cyclic_to_##X[to], &cyclic_##X[first], op, n, 1, f, 0);               \
                } else if (layout == 1) {                                                                           \
                    upc_all_reduce##X(&results_##X[root], &blocked_##X[first], op, n, B, f, 0);                     \
                    upc_all_prefix_reduce##X(&blocked_to_##X[to], &blocked_##X[first], op, n, B, f, 0);             \
                } else {                                                                                            \
                    upc_all_reduce##X(&results_##X[root], &flat_##X[first], op, n, 0, f, 0);                        \
                    upc_all_prefix_reduce##X(&flat_to_##X[to], &flat_##X[first], op, n, 0, f, 0);                   \
                }                                                                                                   \
                for (i = 0; i < n; i++) {                                                                           \
                    TYPE x = layout == 0   ? cyclic_##X[first + i]                                                  \
                             : layout == 1 ? blocked_##X[first + i]                                                 \
                                           : flat_##X[first + i];                                                   \
                                                                                                                    \
                    expected = i == 0 ? x : COMBINE(TYPE, op, expected, x);                                         \
                    CHECK((layout == 0   ? cyclic_to_##X[to + i]                                                    \
                           : layout == 1 ? blocked_to_##X[to + i]                                                   \
                                         : flat_to_##X[to + i]) == expected);                                       \
                }                                                                                                   \
                CHECK(results_##X[root] == expected);                                                               \
                upc_barrier;                                                                                        \
            }                                                                                                       \
        }                                                                                                           \
    }

TEST(C, signed char, 11, EXPECTED_BITS)
TEST(UC, unsigned char, 11, EXPECTED_BITS)
TEST(S, short, 11, EXPECTED_BITS)
TEST(US, unsigned short, 11, EXPECTED_BITS)
TEST(I, int, 11, EXPECTED_BITS)
TEST(UI, unsigned, 11, EXPECTED_BITS)
TEST(L, long, 11, EXPECTED_BITS)
TEST(UL, unsigned long, 11, EXPECTED_BITS)
TEST(F, float, 8, EXPECTED)
TEST(D, double, 8, EXPECTED)
TEST(LD, long double, 8, EXPECTED)

int main(void)
{
    test_C();
    test_UC();
    test_S();
    test_US();
    test_I();
    test_UI();
    test_L();
    test_UL();
    test_F();
    test_D();
    test_LD();
    return finish();
}
