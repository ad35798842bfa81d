// threads: 1 2 3 4 7
// Reductions of every type with every operation, over cyclic, blocked and indefinite sources.
#include <upc.h>
#include <upc_collective.h>
#include "check.h"

#define TEST(SUFFIX, TYPE)                                                                                     \
    static shared TYPE source_##SUFFIX[3 * THREADS], result_##SUFFIX;                                          \
    static shared [2] TYPE blocked_##SUFFIX[4 * THREADS];                                                      \
    static shared [] TYPE flat_##SUFFIX[10];                                                                   \
    static shared TYPE prefix_##SUFFIX[3 * THREADS];                                                           \
    static TYPE larger_of_##SUFFIX(TYPE a, TYPE b) { return a > b ? a : b; }                                   \
    static void test_##SUFFIX(void)                                                                            \
    {                                                                                                          \
        int i, n = 3 * THREADS;                                                                                \
        TYPE sum = 0;                                                                                          \
                                                                                                               \
        for (i = MYTHREAD; i < n; i += THREADS)                                                                \
            source_##SUFFIX[i] = (TYPE)(1 + i % 3);                                                            \
        for (i = MYTHREAD; i < 4 * THREADS; i += THREADS)                                                      \
            blocked_##SUFFIX[i] = (TYPE)(i == 5 % (4 * THREADS) ? 9 : 2);                                      \
        for (i = MYTHREAD; i < 10; i += THREADS)                                                               \
            flat_##SUFFIX[i] = (TYPE)(i + 1);                                                                  \
        upc_barrier;                                                                                           \
        upc_all_reduce##SUFFIX(&result_##SUFFIX, source_##SUFFIX, UPC_ADD, n, 1, NULL, SYNC);                  \
        CHECK(result_##SUFFIX == (TYPE)(6 * THREADS));                                                         \
        upc_all_reduce##SUFFIX(&result_##SUFFIX, blocked_##SUFFIX, UPC_MAX, 4 * THREADS, 2, NULL, SYNC);       \
        CHECK(result_##SUFFIX == 9);                                                                           \
        upc_all_reduce##SUFFIX(&result_##SUFFIX, blocked_##SUFFIX, UPC_MIN, 4 * THREADS, 2, NULL, SYNC);       \
        CHECK(result_##SUFFIX == 2);                                                                           \
        upc_all_reduce##SUFFIX(&result_##SUFFIX, flat_##SUFFIX, UPC_MULT, 5, 0, NULL, SYNC);                   \
        CHECK(result_##SUFFIX == 120);                                                                         \
        upc_all_reduce##SUFFIX(&result_##SUFFIX, flat_##SUFFIX, UPC_FUNC, 10, 0, larger_of_##SUFFIX, SYNC);    \
        CHECK(result_##SUFFIX == 10);                                                                          \
        upc_all_reduce##SUFFIX(&result_##SUFFIX, source_##SUFFIX, UPC_LOGAND, n, 1, NULL, SYNC);               \
        CHECK(result_##SUFFIX == 1);                                                                           \
        upc_all_reduce##SUFFIX(&result_##SUFFIX, source_##SUFFIX, UPC_LOGOR, n, 1, NULL, SYNC);                \
        CHECK(result_##SUFFIX == 1);                                                                           \
        upc_all_prefix_reduce##SUFFIX(prefix_##SUFFIX, source_##SUFFIX, UPC_ADD, n, 1, NULL, SYNC);            \
        for (i = 0; i < n; i++) {                                                                              \
            sum = (TYPE)(sum + 1 + i % 3);                                                                     \
            CHECK(prefix_##SUFFIX[i] == sum);                                                                  \
        }                                                                                                      \
        upc_barrier;                                                                                           \
    }

#define SYNC (UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC)

TEST(C, signed char)
TEST(UC, unsigned char)
TEST(S, signed short)
TEST(US, unsigned short)
TEST(I, signed int)
TEST(UI, unsigned int)
TEST(L, signed long)
TEST(UL, unsigned long)
TEST(F, float)
TEST(D, double)
TEST(LD, long double)

shared unsigned bits[2 * THREADS], bits_result;

int main(void)
{
    int i;

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
    for (i = MYTHREAD; i < 2 * THREADS; i += THREADS)
        bits[i] = 0xf0u | 1u << i % 4;
    upc_all_reduceUI(&bits_result, bits, UPC_AND, 2 * THREADS, 1, NULL, SYNC);
    CHECK_EQUAL(bits_result, 0xf0);
    upc_all_reduceUI(&bits_result, bits, UPC_OR, 2 * THREADS, 1, NULL, SYNC);
    CHECK_EQUAL(bits_result, THREADS == 1 ? 0xf3 : 0xff);
    upc_all_reduceUI(&bits_result, bits, UPC_XOR, 2 * THREADS, 1, NULL, SYNC);
    unsigned expected = 0;
    for (i = 0; i < 2 * THREADS; i++)
        expected ^= 0xf0u | 1u << i % 4;
    CHECK_EQUAL(bits_result, expected);
    return finish();
}
