// threads: 1 2 3 4 7
// Offsets and differences beyond 32 bits, in every type of index; arrays that are mostly never touched.
#include <upc.h>
#include "check.h"

#define BIG 600000000UL
shared char huge[THREADS][BIG * 8];
shared [1000000] double blocks[700 * THREADS][1000000];
shared [] int *p;
struct page { char bytes[1 << 20]; };
shared struct page pages[THREADS * 5000];

int main(void)
{
    size_t i = 5000000000UL, n;
    long long j = -4000000000LL;
    unsigned u = 4000000000u;
    short s = -3;
    signed char c = -2;
    shared char *q;

    CHECK(sizeof(huge) == THREADS * BIG * 8);
    CHECK(upc_localsizeof(huge) == BIG * 8);
    CHECK(sizeof(pages) / sizeof(pages[0]) == THREADS * 5000UL);
    q = &huge[0][0];
    if (THREADS > 1) {
        CHECK_EQUAL(upc_threadof(q + i), i % THREADS);
        CHECK_EQUAL(upc_addrfield(q + i) - upc_addrfield(q + i % THREADS), i / THREADS);
    }
    n = THREADS * BIG * 8 - 1;
    CHECK_EQUAL(&q[n] - q, n);
    CHECK_EQUAL(q - &q[n], -(long)n);
    CHECK(&q[n] > q && &q[n] >= &q[n - 1] && !(&q[n] < q));
    CHECK(&q[i] + j == &q[i - 4000000000UL]);
    CHECK(&q[i] - 4000000000u == &q[i + j]);
    CHECK(q + u == &q[4000000000UL]);
    CHECK(&q[u] + s == &q[u - 3]);
    CHECK(&q[u] - s == &q[u + 3ull]);
    CHECK(c[&q[u]] == 0 && &c[&q[u]] == q + (u - 2));
    CHECK(&q[u] - 1u == &q[u - 1]);
    q += i;
    q -= u;
    CHECK_EQUAL(q - &huge[0][0], 1000000000);
    q -= -1;
    q += (char)-1;
    CHECK_EQUAL(q - &huge[0][0], 1000000000);
    CHECK_EQUAL(&huge[THREADS - 1][BIG] - &huge[0][0], (THREADS - 1) * BIG * 8 + BIG);
    // One page of each thread at the far end.
    pages[THREADS * 4999L + MYTHREAD].bytes[(1 << 20) - 1] = (char)(MYTHREAD + 1);
    blocks[700 * THREADS - 1 - MYTHREAD][999999] = MYTHREAD + 0.5;
    huge[THREADS - 1][BIG * 8 - 1 - MYTHREAD] = (char)(MYTHREAD + 3);
    upc_barrier;
    for (i = 0; i < THREADS; i++) {
        CHECK_EQUAL(pages[THREADS * 4999L + i].bytes[1048575], i + 1);
        CHECK(blocks[700 * THREADS - 1 - i][999999] == i + 0.5);
        CHECK_EQUAL(huge[THREADS - 1][BIG * 8 - 1 - i], i + 3);
        CHECK_EQUAL(upc_threadof(&blocks[700 * THREADS - 1 - i]), THREADS - 1 - i);
    }
    CHECK_EQUAL(&blocks[700 * THREADS - 1][999999] - &blocks[0][0], 700000000L * THREADS - 1);
    return finish();
}
