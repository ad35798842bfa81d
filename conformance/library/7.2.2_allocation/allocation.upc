// threads: 1 2 3 4 7
// All allocation functions: affinity of what they give, sharing, freeing, reuse, size zero.
#include <upc.h>
#include "check.h"

shared [] int *shared from_others[THREADS];
shared int *shared everyones[THREADS];

int main(void)
{
    int i, j, round;
    shared [10] int *blocked = upc_all_alloc(2 * THREADS, 10 * sizeof(int));
    shared int *cyclic = (shared int *)upc_all_alloc(THREADS * 5, sizeof(int));
    shared [] double *alone = upc_all_alloc(1, 100 * sizeof(double));
    shared [] int *mine = upc_alloc(50 * sizeof(int));
    shared int *global = upc_global_alloc(3 * THREADS, sizeof(int));

    CHECK(blocked && cyclic && alone && mine && global);
    for (i = 0; i < 20 * THREADS; i++)
        CHECK_EQUAL(upc_threadof(blocked + i), i / 10 % THREADS);
    for (i = 0; i < 5 * THREADS; i++)
        CHECK_EQUAL(upc_threadof(&cyclic[i]), i % THREADS);
    CHECK_EQUAL(upc_phaseof(blocked), 0);
    CHECK_EQUAL(upc_threadof(alone), 0);
    CHECK_EQUAL(upc_threadof(&alone[99]), 0);
    CHECK_EQUAL(upc_threadof(mine), MYTHREAD);
    CHECK_EQUAL(upc_threadof(global), 0);
    from_others[MYTHREAD] = mine;
    everyones[MYTHREAD] = global;
    for (i = 0; i < 50; i++)
        mine[i] = 100 * MYTHREAD + i;
    for (i = 0; i < 3 * THREADS; i++)
        global[i] = MYTHREAD;
    upc_barrier;

    for (i = 0; i < THREADS; i++) {
        CHECK_EQUAL(from_others[i][49], 100 * i + 49);
        for (j = 0; j < 3 * THREADS; j++)
            CHECK_EQUAL(everyones[i][j], i);
        for (j = 0; j < i; j++)
            CHECK(from_others[j] != from_others[i] && everyones[i] != everyones[j]);
    }
    // Everybody got the same from the collective ones.
    if (MYTHREAD == THREADS - 1)
        for (i = 0; i < 20 * THREADS; i++)
            blocked[i] = i;
    upc_barrier;
    for (i = 0; i < 20 * THREADS; i++)
        CHECK_EQUAL(blocked[i], i);
    int *own = (int *)&blocked[10 * MYTHREAD];
    for (i = 0; i < 20; i++)
        CHECK_EQUAL(own[i], i / 10 * 10 * THREADS + 10 * MYTHREAD + i % 10);
    upc_barrier;

    // Freed by the neighbour; fresh memory every round.
    upc_free(from_others[(MYTHREAD + 1) % THREADS]);
    upc_free(everyones[(MYTHREAD + 1) % THREADS]);
    for (round = 0; round < 50; round++) {
        shared [] char *p = upc_alloc(1000 + 100 * round);
        shared [1000] char *q = upc_all_alloc(THREADS, 1000);

        p[999] = (char)round;
        q[1000 * MYTHREAD + 999] = (char)(round + MYTHREAD);
        upc_barrier;
        CHECK_EQUAL(q[1000 * ((MYTHREAD + 1) % THREADS) + 999], (char)(round + (MYTHREAD + 1) % THREADS));
        CHECK_EQUAL(p[999], (char)round);
        upc_barrier;
        upc_free(p);
        if (MYTHREAD == round % THREADS)
            upc_free(q);
    }
    CHECK(upc_alloc(0) == NULL);
    CHECK(upc_all_alloc(0, 10) == NULL);
    CHECK(upc_global_alloc(10, 0) == NULL);
    upc_all_free(blocked);
    upc_all_free(cyclic);
    upc_all_free(NULL);
    upc_barrier;
    if (MYTHREAD == 0)
        upc_free((shared void *)alone);
    return finish();
}
