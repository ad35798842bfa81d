// threads: 1 2 3 4 7
// Reductions over parts of arrays that begin at any element, results on any thread, own functions.
#include <upc.h>
#include <upc_collective.h>
#include "check.h"

#define SYNC (UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC)
shared [4] long blocked[12 * THREADS];
shared [4] long prefix[12 * THREADS];
shared long cyclic[8 * THREADS], results[THREADS], cyclic_prefix[8 * THREADS];
shared double average[THREADS];

static long latest(long a, long b)
{
    return b; // not commutative, but associative
}

static double plus(double a, double b)
{
    return a + b;
}

int main(void)
{
    int i, first, n;
    long sum;

    upc_forall (i = 0; i < 12 * THREADS; i++; &blocked[i])
        blocked[i] = i;
    upc_forall (i = 0; i < 8 * THREADS; i++; &cyclic[i])
        cyclic[i] = 2 * i;
    upc_barrier;
    for (first = 0; first < 6; first++)
        for (n = 1; n <= 12 * THREADS - 6; n += 3) {
            int to = (first + n) % THREADS;

            sum = (long)n * (2 * first + n - 1) / 2;
            upc_all_reduceL(&results[to], &blocked[first], UPC_ADD, n, 4, NULL, SYNC);
            CHECK_EQUAL(results[to], sum);
            upc_barrier;
            if (first + n <= 8 * THREADS) {
                upc_all_reduceL(&results[to], &cyclic[first], UPC_ADD, n, 1, NULL, SYNC);
                CHECK_EQUAL(results[to], 2 * sum);
                upc_barrier;
            }
        }
    upc_all_prefix_reduceL(prefix, blocked, UPC_ADD, 12 * THREADS, 4, NULL, SYNC);
    for (i = 0, sum = 0; i < 12 * THREADS; i++)
        CHECK_EQUAL(prefix[i], sum += i);
    upc_barrier;
    upc_all_prefix_reduceL(cyclic_prefix, cyclic, UPC_MAX, 8 * THREADS, 1, NULL, SYNC);
    for (i = 0; i < 8 * THREADS; i++)
        CHECK_EQUAL(cyclic_prefix[i], 2 * i);
    upc_barrier;
    upc_all_prefix_reduceL(prefix, blocked, UPC_NONCOMM_FUNC, 12 * THREADS, 4, latest, SYNC);
    for (i = 0; i < 12 * THREADS; i++)
        CHECK_EQUAL(prefix[i], i);
    upc_barrier;
    upc_all_reduceL(&results[THREADS - 1], blocked, UPC_NONCOMM_FUNC, 12 * THREADS, 4, latest, SYNC);
    CHECK_EQUAL(results[THREADS - 1], 12 * THREADS - 1);

    // MYSYNC: only own data are ready on entry.
    for (i = 0; i < 30; i++) {
        upc_barrier;
        average[MYTHREAD] = i + MYTHREAD;
        static shared double total;
        upc_all_reduceD(&total, average, UPC_FUNC, THREADS, 1, plus, UPC_IN_MYSYNC | UPC_OUT_ALLSYNC);
        CHECK(total == (double)i * THREADS + THREADS * (THREADS - 1) / 2);
    }
    return finish();
}
