// threads: 1 2 3 4 7
// Collectives on values, of every type and operation, structures and pointers-to-shared.
#include <upc.h>
#include <bupc_collectivev.h>
#include "check.h"

#if BUPC_COLLECTIVEV_VERSION_MAJOR != 1 || BUPC_COLLECTIVEV_VERSION_MINOR != 2
#error "the version of the interface is 1.2"
#endif

struct triple {
    double x;
    int id;
    char name[40];
};
typedef unsigned long long wide;
enum color { RED, GREEN, BLUE };

shared int place[THREADS];

#define TEST(TYPE, BITS)                                                                              \
    do {                                                                                              \
        TYPE v = (TYPE)(MYTHREAD + 1), sum = 0, product = 1, r, all[THREADS], from[THREADS];          \
        int t;                                                                                        \
                                                                                                      \
        for (t = 1; t <= THREADS; t++) {                                                              \
            sum = (TYPE)(sum + t);                                                                    \
            product = (TYPE)(product * (TYPE)(t % 3 + 1));                                            \
        }                                                                                             \
        r = bupc_allv_reduce(TYPE, v, THREADS - 1, UPC_ADD);                                          \
        CHECK(MYTHREAD != THREADS - 1 || r == sum);                                                   \
        CHECK(bupc_allv_reduce_all(TYPE, v, UPC_ADD) == sum);                                         \
        CHECK(bupc_allv_reduce_all(TYPE, (TYPE)((MYTHREAD + 1) % 3 + 1), UPC_MULT) == product);       \
        CHECK(bupc_allv_reduce_all(TYPE, v, UPC_MIN) == 1);                                           \
        CHECK(bupc_allv_reduce_all(TYPE, v, UPC_MAX) == THREADS);                                     \
        CHECK(bupc_allv_reduce_all(TYPE, MYTHREAD, UPC_LOGAND) == 0);                                 \
        CHECK(bupc_allv_reduce_all(TYPE, MYTHREAD, UPC_LOGOR) == (THREADS > 1));                      \
        CHECK(bupc_allv_prefix_reduce(TYPE, 2, UPC_ADD) == (TYPE)(2 * (MYTHREAD + 1)));               \
        BITS(TYPE)                                                                                    \
        CHECK(bupc_allv_broadcast(TYPE, v, THREADS / 2) == (TYPE)(THREADS / 2 + 1));                  \
        for (t = 0; t < THREADS; t++)                                                                 \
            from[t] = (TYPE)(MYTHREAD == THREADS - 1 ? 3 * t : 99);                                   \
        CHECK(bupc_allv_scatter(TYPE, THREADS - 1, from) == (TYPE)(3 * MYTHREAD));                    \
        CHECK(bupc_allv_reduce(TYPE, v, -1, UPC_ADD) == sum);                                         \
        CHECK(bupc_allv_gather(TYPE, v, -1, from) == from);                                           \
        for (t = 0; t < THREADS; t++)                                                                 \
            CHECK(from[t] == (TYPE)(t + 1));                                                          \
        CHECK(bupc_allv_gather_all(TYPE, v, MYTHREAD % 2 ? NULL : all) == (MYTHREAD % 2 ? NULL : all)); \
        CHECK(bupc_allv_gather_all(TYPE, v, all) == all);                                             \
        for (t = 0; t < THREADS; t++)                                                                 \
            CHECK(all[t] == (TYPE)(t + 1));                                                           \
        bupc_allv_gather(TYPE, (TYPE)(v + 1), 0, from);                                               \
        for (t = 0; MYTHREAD == 0 && t < THREADS; t++)                                                \
            CHECK(from[t] == (TYPE)(t + 2));                                                          \
        CHECK(bupc_allv_permute(TYPE, v, (MYTHREAD + 1) % THREADS) ==                                 \
              (TYPE)((MYTHREAD + THREADS - 1) % THREADS + 1));                                        \
    } while (0)

#define NONE(TYPE)
#define BITS(TYPE)                                                                                    \
    CHECK(bupc_allv_reduce_all(TYPE, (TYPE)(0x40 | 1 << MYTHREAD % 4), UPC_OR) ==                     \
          (THREADS > 3 ? 0x4f : THREADS == 3 ? 0x47 : THREADS == 2 ? 0x43 : 0x41));                   \
    CHECK(bupc_allv_reduce_all(TYPE, (TYPE)(0x41 | MYTHREAD << 1), UPC_AND) == 0x41);                 \
    CHECK(bupc_allv_reduce_all(TYPE, 5, UPC_XOR) == (THREADS % 2 ? 5 : 0));

int main(void)
{
    int round, t;

    TEST(char, BITS);
    TEST(signed char, BITS);
    TEST(unsigned char, BITS);
    TEST(short, BITS);
    TEST(unsigned short, BITS);
    TEST(int, BITS);
    TEST(unsigned, BITS);
    TEST(long, BITS);
    TEST(wide, BITS);
    TEST(float, NONE);
    TEST(double, NONE);
    TEST(long double, NONE);

    // The sign of the type counts.
    CHECK_EQUAL(bupc_allv_reduce_all(int, MYTHREAD == 0 ? -7 : 7, UPC_MIN), -7);
    CHECK(bupc_allv_reduce_all(unsigned char, MYTHREAD == 0 ? 200 : 100, UPC_MAX) == 200);
    CHECK(bupc_allv_reduce_all(enum color, MYTHREAD == THREADS - 1 ? BLUE : RED, UPC_MAX) == BLUE);

    // Values of any type, larger ones after smaller ones, many in a row, and one inside of another.
    struct triple own = {0.5 + MYTHREAD, MYTHREAD, "thread"}, got, all[THREADS];
    for (round = 0; round < 50; round++) {
        int root = round % THREADS;

        own.id = 100 * round + MYTHREAD;
        got = bupc_allv_broadcast(struct triple, own, root);
        CHECK_EQUAL(got.id, 100 * round + root);
        CHECK(got.x == 0.5 + root);
        CHECK_EQUAL(bupc_allv_broadcast(int, bupc_allv_reduce_all(int, round, UPC_ADD), 0), round * THREADS);
        bupc_allv_gather_all(struct triple, own, all);
        for (t = 0; t < THREADS; t++)
            CHECK_EQUAL(all[t].id, 100 * round + t);
    }
    shared int *p = bupc_allv_broadcast(shared int *, &place[MYTHREAD], THREADS - 1);
    CHECK(p == &place[THREADS - 1]);
    return finish();
}
