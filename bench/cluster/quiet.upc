/*
 * CPU time of the runtime's own threads in a program that sleeps, then computes, and calls nothing of the runtime. For both
 * networks.
 */
#include <upc_relaxed.h>

#include "figures.h"

#define ITERATIONS 5000000

volatile double sink;

static void compute(void)
{
    double value = 1;

    for (int i = 0; i < ITERATIONS; i++)
        value = value * 0.5 + 1;
    sink = value;
}

int main(void)
{
    upc_barrier;
    if (MYTHREAD == 0) {
        double times[REPETITIONS];

        print_idle_cost();
        double others = cpu_us_of_others(), own = clock_us(CLOCK_THREAD_CPUTIME_ID);
        for (int i = 0; i < REPETITIONS; i++) {
            double begin = clock_us(CLOCK_THREAD_CPUTIME_ID);
            compute();
            times[i] = 1e3 * (clock_us(CLOCK_THREAD_CPUTIME_ID) - begin) / ITERATIONS;
        }
        own = clock_us(CLOCK_THREAD_CPUTIME_ID) - own;
        print_figure("computing, iteration", median(times, REPETITIONS));
        print_figure("computing, other threads", 100 * (cpu_us_of_others() - others) / own);
    }
    upc_barrier;
    return 0;
}
