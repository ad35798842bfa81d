// threads: 1 2 3 4 7
// Several ways to count: with locks, with private counts that are added up, with a vector of counts on each thread.
#include <upc.h>
#include <upc_collective.h>
#include <string.h>
#include "check.h"

#define BINS 10
#define SAMPLES 500
shared [] int by_lock[BINS];
shared [BINS] int by_thread[THREADS][BINS];
shared [] int totals[BINS];
shared int column[THREADS], column_sum;
upc_lock_t *shared [] locks[BINS];
int expected[BINS];

static unsigned next(unsigned *state)
{
    return *state = *state * 1103515245u + 12345u, *state >> 16 & 0x7fff;
}

int main(void)
{
    unsigned state;
    int i, t;

    for (t = 0; t < THREADS; t++)
        for (i = 0, state = t + 1; i < SAMPLES; i++)
            expected[next(&state) % BINS]++;
    upc_forall (i = 0; i < BINS; i++; &locks[i])
        locks[i] = upc_global_lock_alloc();
    upc_barrier;
    for (i = 0, state = MYTHREAD + 1; i < SAMPLES; i++) {
        int bin = next(&state) % BINS;

        upc_lock(locks[bin]);
        by_lock[bin]++;
        upc_unlock(locks[bin]);
        by_thread[MYTHREAD][bin] += 1;
    }
    upc_barrier;
    upc_forall (i = 0; i < BINS; i++; i)
        for (t = 0; t < THREADS; t++)
            totals[i] += by_thread[t][i];
    upc_barrier;
    for (i = 0; i < BINS; i++) {
        CHECK_EQUAL(by_lock[i], expected[i]);
        CHECK_EQUAL(totals[i], expected[i]);
        column[MYTHREAD] = by_thread[MYTHREAD][i];
        upc_all_reduceI(&column_sum, column, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
        CHECK_EQUAL(column_sum, expected[i]);
    }
    return finish();
}
