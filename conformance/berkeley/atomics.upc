// threads: 1 2 3 4 7
// bupc_atomic operations of every type, operation and consistency.
#include <upc.h>
#include <stdint.h>
#include "check.h"

#define ROUNDS 100

// One operation after the other on a variable of the thread's own, then sums by all threads.
#define ACCESSES(X, TYPE, RS, PLACE)                                     \
    bupc_atomic##X##_set_##RS(PLACE, 10);                                \
    CHECK(bupc_atomic##X##_read_##RS(PLACE) == 10);                      \
    CHECK(bupc_atomic##X##_swap_##RS(PLACE, 20) == 10);                  \
    CHECK(bupc_atomic##X##_cswap_##RS(PLACE, 10, 30) == 20);             \
    CHECK(bupc_atomic##X##_cswap_##RS(PLACE, 20, 30) == 20);             \
    CHECK(bupc_atomic##X##_fetchadd_##RS(PLACE, 5) == 30);               \
    CHECK(bupc_atomic##X##_read_##RS(PLACE) == 35);

#define BITS(X, TYPE, RS, PLACE)                                         \
    CHECK(bupc_atomic##X##_fetchand_##RS(PLACE, 0x21) == 35);            \
    CHECK(bupc_atomic##X##_fetchor_##RS(PLACE, 0x0c) == 0x21);           \
    CHECK(bupc_atomic##X##_fetchxor_##RS(PLACE, 0x05) == 0x2d);          \
    CHECK(bupc_atomic##X##_fetchnot_##RS(PLACE) == 0x28);                \
    CHECK(bupc_atomic##X##_fetchnot_##RS(PLACE) == (TYPE)~(TYPE)0x28);   \
    CHECK(bupc_atomic##X##_mswap_##RS(PLACE, 0x0f, 0x33) == 0x28);       \
    CHECK(bupc_atomic##X##_read_##RS(PLACE) == 0x23);

#define NO_BITS(X, TYPE, RS, PLACE)

#define TEST(X, TYPE, MORE)                                              \
    shared TYPE own_##X[THREADS], sum_##X;                               \
    TYPE private_##X;                                                    \
    void test_##X(void)                                                  \
    {                                                                    \
        int i;                                                           \
                                                                         \
        ACCESSES(X, TYPE, strict, &own_##X[MYTHREAD])                    \
        MORE(X, TYPE, strict, &own_##X[MYTHREAD])                        \
        ACCESSES(X, TYPE, relaxed, &own_##X[MYTHREAD])                   \
        MORE(X, TYPE, relaxed, &own_##X[MYTHREAD])                       \
        ACCESSES(X, TYPE, private, &private_##X)                         \
        MORE(X, TYPE, private, &private_##X)                             \
        for (i = 0; i < ROUNDS; i++) {                                   \
            bupc_atomic##X##_fetchadd_relaxed(&sum_##X, 1);              \
            bupc_atomic##X##_fetchadd_strict(&sum_##X, 2);               \
        }                                                                \
        upc_barrier;                                                     \
        CHECK(sum_##X == (TYPE)(3 * ROUNDS * THREADS));                  \
    }

TEST(I, int, BITS)
TEST(UI, unsigned int, BITS)
TEST(L, long, BITS)
TEST(UL, unsigned long, BITS)
TEST(I32, int32_t, BITS)
TEST(U32, uint32_t, BITS)
TEST(I64, int64_t, BITS)
TEST(U64, uint64_t, BITS)
TEST(F, float, NO_BITS)
TEST(D, double, NO_BITS)

int main(void)
{
    test_I();
    test_UI();
    test_L();
    test_UL();
    test_I32();
    test_U32();
    test_I64();
    test_U64();
    test_F();
    test_D();
    return finish();
}
