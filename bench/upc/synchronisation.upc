/*
 * Operations of all threads: barrier, collectives of a few bytes with full synchronisation, and a lock that nobody else
 * wants. The targets are for two threads on two cores.
 */
#include <upc_relaxed.h>
#include <upc_collective.h>

#include "bench.h"

#define CALLS 2000
#define SYNC (UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC)

shared int value;
shared int values[THREADS];
shared int sum;
upc_lock_t *lock;

static void barriers(void)
{
    for (int i = 0; i < CALLS; i++)
        upc_barrier;
}

static void broadcasts(void)
{
    for (int i = 0; i < CALLS; i++)
        upc_all_broadcast(values, &value, sizeof(int), SYNC);
}

static void reductions(void)
{
    for (int i = 0; i < CALLS; i++)
        upc_all_reduceI(&sum, values, UPC_ADD, THREADS, 1, NULL, SYNC);
}

static void locks(void)
{
    for (int i = 0; i < CALLS; i++) {
        upc_lock(lock);
        upc_unlock(lock);
    }
}

#define MEASURE(name, function, takes_part, most)                             \
    do {                                                                      \
        double time = 0;                                                      \
        for (int repetition = 0; repetition < REPETITIONS; repetition++) {    \
            upc_barrier;                                                      \
            if (takes_part)                                                   \
                BENCH(time, CALLS, function());                               \
        }                                                                     \
        upc_barrier;                                                          \
        bench_time(name, time, most);                                         \
    } while (0)

int main(void)
{
    lock = upc_all_lock_alloc();
    values[MYTHREAD] = MYTHREAD;
    MEASURE("barrier", barriers, 1, 150);
    MEASURE("broadcast, 4 bytes, ALLSYNC", broadcasts, 1, 550);
    MEASURE("reduction, one int a thread, ALLSYNC", reductions, 1, 850);
    MEASURE("lock and unlock, uncontended", locks, MYTHREAD == 0, 28);
    upc_all_lock_free(lock);
    return 0;
}
