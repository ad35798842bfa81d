// threads: 1 2 3 4 7
// modes: static
// With a static number of threads arrays need no factor THREADS; local parts are whole blocks.
#include <upc.h>
#include "check.h"

shared int cyclic[10];
shared [2] int blocked[9];
shared [*] int even[10];
shared [10 / THREADS + 1] int of_threads[10];
shared int grid[4][5];
int private_of_threads[THREADS] = {1};

#if THREADS > 100
#error THREADS is a constant for the preprocessor too
#endif

int main(void)
{
    int i, block = (10 + THREADS - 1) / THREADS;

    for (i = 0; i < 10; i++) {
        CHECK_EQUAL(upc_threadof(&cyclic[i]), i % THREADS);
        CHECK_EQUAL(upc_threadof(&even[i]), i / block);
        CHECK_EQUAL(upc_phaseof(&even[i]), i % block);
        CHECK_EQUAL(upc_threadof(&of_threads[i]), i / (10 / THREADS + 1) % THREADS);
    }
    for (i = 0; i < 9; i++) {
        CHECK_EQUAL(upc_threadof(&blocked[i]), i / 2 % THREADS);
        if (upc_threadof(&blocked[i]) == MYTHREAD)
            blocked[i] = 10 * i;
    }
    for (i = 0; i < 20; i++)
        CHECK_EQUAL(upc_threadof(&grid[i / 5][i % 5]), i % THREADS);
    upc_barrier;
    for (i = 0; i < 9; i++)
        CHECK_EQUAL(blocked[i], 10 * i);
    CHECK_EQUAL(sizeof(cyclic), 10 * sizeof(int));
    CHECK_EQUAL(sizeof(grid), 20 * sizeof(int));
    CHECK_EQUAL(private_of_threads[0], 1);
    switch (THREADS) {
    case THREADS:
        break;
    default:
        CHECK(0);
    }
    return finish();
}
