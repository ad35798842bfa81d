// threads: 1 2 3 4 7
// Each iteration of upc_forall runs on exactly one thread, the one that the fourth expression names.
#include <upc.h>
#include "check.h"

#define N (10 * THREADS + 3)
shared int cyclic[20 * THREADS];
shared [4] int blocked[20 * THREADS];
shared [] int on_zero[20];
shared [5] int grid[3 * THREADS][5];
shared int runs[90 * THREADS];

static void reset(void)
{
    int i;

    upc_barrier;
    for (i = MYTHREAD; i < 90 * THREADS; i += THREADS)
        runs[i] = 0;
    upc_barrier;
}

static void all_ran_once(int n)
{
    int i;

    upc_barrier;
    for (i = 0; i < n; i++)
        CHECK_EQUAL(runs[i], 1);
    CHECK_EQUAL(runs[n], 0);
}

int main(void)
{
    int i, j;

    reset();
    upc_forall (i = 0; i < N; i++; i) {
        CHECK_EQUAL(i % THREADS, MYTHREAD);
        runs[i]++;
    }
    CHECK_EQUAL(i, N);
    all_ran_once(N);

    reset();
    upc_forall (i = 0; i < 20 * THREADS; i++; &cyclic[i]) {
        CHECK_EQUAL(upc_threadof(&cyclic[i]), MYTHREAD);
        cyclic[i] = i;
        runs[i]++;
    }
    CHECK_EQUAL(i, 20 * THREADS);
    all_ran_once(20 * THREADS);

    reset();
    upc_forall (i = 0; i < 20 * THREADS - 3; ++i; &blocked[i + 3]) {
        CHECK_EQUAL(upc_threadof(&blocked[i + 3]), MYTHREAD);
        blocked[i + 3] = 2 * i;
        runs[i]++;
    }
    all_ran_once(20 * THREADS - 3);
    for (i = 0; i < 20 * THREADS - 3; i++)
        CHECK_EQUAL(blocked[i + 3], 2 * i);
    for (i = 0; i < 20 * THREADS; i++)
        CHECK_EQUAL(cyclic[i], i);

    reset();
    upc_forall (i = 0; i < 20; i++; &on_zero[i]) {
        CHECK_EQUAL(MYTHREAD, 0);
        runs[i]++;
    }
    all_ran_once(20);

    // Downwards, by steps, with offsets, with the pointer itself, with a whole row.
    reset();
    upc_forall (i = 20 * THREADS - 1; i >= 0; i--; blocked + i)
        runs[i] += upc_threadof(&blocked[i]) == MYTHREAD;
    CHECK_EQUAL(i, -1);
    all_ran_once(20 * THREADS);
    reset();
    upc_forall (i = 0; i < 20 * THREADS; i += 3; &cyclic[i])
        runs[i / 3] += upc_threadof(&cyclic[i]) == MYTHREAD;
    all_ran_once((20 * THREADS + 2) / 3);
    reset();
    upc_forall (i = 0; i < 3 * THREADS; i++; &grid[i][0])
        for (j = 0; j < 5; j++) {
            CHECK_EQUAL(upc_threadof(&grid[i][j]), MYTHREAD);
            runs[5 * i + j]++;
        }
    all_ran_once(15 * THREADS);
    reset();
    upc_forall (i = 0; i < 20 * THREADS; i++; i / 4)
        runs[i] += i / 4 % THREADS == MYTHREAD;
    all_ran_once(20 * THREADS);
    reset();
    upc_forall (i = 0; i < 20 * THREADS; i++; i * THREADS / (20 * THREADS))
        runs[i]++;
    all_ran_once(20 * THREADS);

    // Negative integers: modulo, not remainder.
    reset();
    upc_forall (i = -20; i < 20; i++; i) {
        CHECK_EQUAL(((i % THREADS) + THREADS) % THREADS, MYTHREAD);
        runs[i + 20]++;
    }
    all_ran_once(40);
    reset();
    upc_forall (long l = 5000000000L; l < 5000000000L + 10; l++; l)
        runs[l - 5000000000L]++;
    all_ran_once(10);
    reset();
    upc_forall (unsigned char c = 0; c < 10; c++; c)
        runs[c]++;
    all_ran_once(10);

    // The loop's pointer is its own affinity.
    reset();
    shared [4] int *p;
    upc_forall (p = blocked; p < blocked + 20 * THREADS; p++; p)
        runs[p - blocked]++;
    CHECK(p == blocked + 20 * THREADS);
    all_ran_once(20 * THREADS);
    return finish();
}
