/*
 * Operations of all threads: barriers, and collectives of 8 bytes, with a barrier after each where they do not synchronise
 * by themselves.
 */
#include <upc_relaxed.h>
#include <upc_collective.h>

#include "figures.h"

#define CALLS 5
#define NOSYNC (UPC_IN_NOSYNC | UPC_OUT_NOSYNC)
#define ALLSYNC (UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC)

shared long value, sum;
shared long values[THREADS];

static void barriers(void)
{
    for (int i = 0; i < CALLS; i++)
        upc_barrier;
}

static void broadcasts(void)
{
    for (int i = 0; i < CALLS; i++) {
        upc_all_broadcast(values, &value, sizeof(long), NOSYNC);
        upc_barrier;
    }
}

static void broadcasts_that_synchronise(void)
{
    for (int i = 0; i < CALLS; i++)
        upc_all_broadcast(values, &value, sizeof(long), ALLSYNC);
}

static void reductions(void)
{
    for (int i = 0; i < CALLS; i++) {
        upc_all_reduceL(&sum, values, UPC_ADD, THREADS, 1, NULL, NOSYNC);
        upc_barrier;
    }
}

static void reductions_that_synchronise(void)
{
    for (int i = 0; i < CALLS; i++)
        upc_all_reduceL(&sum, values, UPC_ADD, THREADS, 1, NULL, ALLSYNC);
}

static double measure(const char *name, void (*function)(void))
{
    struct time time = time_of(function, CALLS, REPETITIONS);

    if (MYTHREAD == 0)
        print_figure(name, time.median);
    return time.mean;
}

int main(void)
{
    values[MYTHREAD] = MYTHREAD;
    upc_barrier;
    double mean = measure("barrier", barriers);
    if (MYTHREAD == 0)
        print_figure("barrier, mean", mean);
    measure("broadcast", broadcasts);
    measure("broadcast, ALLSYNC", broadcasts_that_synchronise);
    measure("reduction", reductions);
    measure("reduction, ALLSYNC", reductions_that_synchronise);
    return 0;
}
