// threads: 1 2 3 4 7
// upc_threadof, upc_phaseof, upc_addrfield and differences of pointers of every layout, against the rule,
// for all elements.
#include <upc.h>
#include "check.h"
shared char c1[9 * THREADS];
shared [2] short c2[8 * THREADS];
shared [5] int c5[11 * THREADS];
shared [] double c0[7];

shared [3] struct {
    char b[3];
} c3[6 * THREADS];

shared [*] long cs[4 * THREADS];
shared [6] int m6[3][4 * THREADS];
shared void *v;
shared int *nil;
#define RULE(a, n, b)                                                            \
    do {                                                                         \
        long k_;                                                                 \
        for (k_ = 0; k_ < (n); k_++) {                                           \
            CHECK_EQUAL(upc_threadof(&(a)[k_]), k_ / (b) % THREADS);             \
            CHECK_EQUAL(upc_phaseof(&(a)[k_]), (b) == 1 ? 0 : k_ % (b));         \
            CHECK_EQUAL(upc_addrfield(&(a)[k_]) - upc_addrfield(&(a)[0]),        \
                        (k_ / ((b)*THREADS) * (b) + k_ % (b)) * sizeof((a)[0])); \
        }                                                                        \
    } while (0)
#define WALK(T, a, n, b)                                          \
    do {                                                          \
        long k_;                                                  \
        T *w_ = (a);                                              \
        for (k_ = 0; k_ < (n); k_++, w_++) {                      \
            v = w_;                                               \
            CHECK_EQUAL(upc_threadof(v), k_ / (b) % THREADS);     \
            CHECK_EQUAL(upc_phaseof(v), (b) == 1 ? 0 : k_ % (b)); \
            CHECK(w_ == &(a)[k_]);                                \
        }                                                         \
        for (w_--, k_--; k_ >= 0; k_--, w_--) {                   \
            CHECK_EQUAL(upc_threadof(w_), k_ / (b) % THREADS);    \
            CHECK_EQUAL(w_ - (a), k_);                            \
        }                                                         \
    } while (0)

int main(void)
{
    long i, j;
    shared [5] int *p5 = c5, *q5;
    RULE(c1, 9 * THREADS, 1);
    RULE(c2, 8 * THREADS, 2);
    RULE(c5, 11 * THREADS, 5);
    RULE(c3, 6 * THREADS, 3);
    RULE(cs, 4 * THREADS, 4);
    WALK(shared char, c1, 9 * THREADS, 1);
    WALK(shared [2] short, c2, 8 * THREADS, 2);
    WALK(shared [5] int, c5, 11 * THREADS, 5);
    WALK(shared [4] long, cs, 4 * THREADS, 4);
    for (i = 0; i < 7; i++) {
        CHECK_EQUAL(upc_threadof(&c0[i]), 0);
        CHECK_EQUAL(upc_phaseof(&c0[i]), 0);
        CHECK_EQUAL(upc_addrfield(&c0[i]) - upc_addrfield(c0), 8 * i);
    }
    for (i = 0; i < 3; i++)
        for (j = 0; j < 4 * THREADS; j++) {
            long k = i * 4 * THREADS + j;
            CHECK_EQUAL(upc_threadof(&m6[i][j]), k / 6 % THREADS);
            CHECK_EQUAL(upc_phaseof(&m6[i][j]), k % 6);
            CHECK_EQUAL(&m6[i][j] - &m6[0][0], k);
        }
    for (i = 0; i < 11 * THREADS; i++)
        for (j = 0; j < 11 * THREADS; j += 3) {
            q5 = p5 + i;
            CHECK(q5 + (j - i) == &c5[j]);
            CHECK_EQUAL((p5 + j) - q5, j - i);
            CHECK_EQUAL(q5 < &c5[j], i < j);
            CHECK_EQUAL(q5 >= &c5[j], i >= j);
            CHECK_EQUAL(q5 == &c5[j], i == j);
            CHECK_EQUAL(upc_phaseof(q5 + (j - i)), j % 5);
        }
    CHECK_EQUAL(upc_threadof(upc_resetphase(&c5[7 % (11 * THREADS)])), 7 / 5 % THREADS);
    CHECK_EQUAL(upc_phaseof(upc_resetphase(&c5[7])), 0);
    nil = NULL;
    CHECK_EQUAL(upc_phaseof(nil), 0);
    v = NULL;
    CHECK(v == nil && !v);
    CHECK_EQUAL(upc_affinitysize(100, 10, 0), THREADS == 1 ? 100 : (10 + THREADS - 1) / THREADS * 10);
    {
        size_t sum = 0, t;
        for (t = 0; t < THREADS; t++)
            sum += upc_affinitysize(103, 10, t);
        CHECK_EQUAL(sum, 103);
        for (sum = t = 0; t < THREADS; t++)
            sum += upc_affinitysize(sizeof c5, 20, t);
        CHECK_EQUAL(sum, sizeof c5);
        CHECK_EQUAL(upc_affinitysize(50, 0, 0), 50);
        CHECK(upc_affinitysize(50, 50, THREADS - 1) == (THREADS == 1 ? 50 : 0));
    }
    return finish();
}
