// threads: 1 2 3 4 7
// Collectives with blocks, user functions and pointers of different layouts.
#include <upc.h>
#include <upc_collective.h>
#include "check.h"

#define BS 3
shared [BS] int src[BS * THREADS];
shared [BS * 2] int d2[2 * BS * THREADS];
shared [] int d0[BS * 64];
shared int dst;
shared [BS] int pre[BS * THREADS];
shared int sum, perm[THREADS];
shared [1] double dsrc[THREADS];
shared double ddst;
shared [] int *shared hold;

static int my_max(int a, int b) { return a > b ? a : b; }

static double mul2(double a, double b) { return a * b; }

int main()
{
    int i;
    for (i = 0; i < BS; i++)
        src[BS * MYTHREAD + i] = BS * MYTHREAD + i;
    dsrc[MYTHREAD] = 2;
    perm[MYTHREAD] = THREADS - 1 - MYTHREAD;
    upc_barrier;
    upc_all_reduceI(&dst, src, UPC_ADD, BS * THREADS, BS, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    CHECK_EQUAL(dst, BS * THREADS * (BS * THREADS - 1) / 2);
    upc_all_reduceI(&dst, src, UPC_FUNC, BS * THREADS, BS, my_max, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    CHECK_EQUAL(dst, BS * THREADS - 1);
    upc_all_reduceI(&dst, src, UPC_NONCOMM_FUNC, BS * THREADS, BS, &my_max, 0);
    CHECK_EQUAL(dst, BS * THREADS - 1);
    upc_barrier;
    upc_all_reduceD(&ddst, dsrc, UPC_FUNC, THREADS, 1, mul2, 0);
    CHECK(ddst == (double)(1 << THREADS));
    upc_all_reduceD(&ddst, dsrc, UPC_MULT, THREADS, 1, NULL, UPC_IN_MYSYNC | UPC_OUT_ALLSYNC);
    upc_all_prefix_reduceI(pre, src, UPC_ADD, BS * THREADS, BS, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    CHECK_EQUAL(pre[BS * THREADS - 1], BS * THREADS * (BS * THREADS - 1) / 2);
    CHECK_EQUAL(pre[2], 3);
    upc_all_broadcast(pre, &src[BS * (THREADS - 1)], BS * sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    CHECK_EQUAL(pre[BS * MYTHREAD + 1], BS * (THREADS - 1) + 1);
    upc_all_gather(d0, src, BS * sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    CHECK_EQUAL(d0[BS * THREADS - 1], BS * THREADS - 1);
    upc_all_scatter(pre, d0, BS * sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    CHECK_EQUAL(pre[BS * MYTHREAD], BS * MYTHREAD);
    upc_all_permute(pre, src, perm, BS * sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    CHECK_EQUAL(pre[BS * (THREADS - 1 - MYTHREAD)], BS * MYTHREAD);
    upc_all_broadcast(&perm[0], &dst, sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    CHECK_EQUAL(perm[MYTHREAD], dst);
    {
        shared int *g = upc_all_alloc(THREADS, THREADS * sizeof(int));
        shared [] int *gg;
        for (i = 0; i < THREADS; i++)
            g[i * THREADS + MYTHREAD] = MYTHREAD * 100 + i;
        shared int *ex = upc_all_alloc(THREADS, THREADS * sizeof(int));
        upc_all_exchange(ex, g, sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
        for (i = 0; i < THREADS; i++)
            CHECK_EQUAL(ex[i * THREADS + MYTHREAD], i * 100 + MYTHREAD);
        upc_all_gather_all(ex, perm, sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
        CHECK_EQUAL(ex[(THREADS - 1) * THREADS + MYTHREAD], dst);
    }
    return finish();
}
