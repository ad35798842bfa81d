/*
 * Functions that the benchmarks of the UPC compiler share. Each program prints one line per measurement,
 *
 *     name <tab> nanoseconds <tab> reference in nanoseconds or - <tab> target, 0 for none <tab> ratio | ns
 *
 * and scripts/bench makes a table of them. A measurement is the best of many repetitions; those of the code and of its
 * reference take turns, so that other load of the machine hits both. -DREPETITIONS=1 is a short form for tests.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdio.h>
#include <time.h>

#ifndef REPETITIONS
#define REPETITIONS 400
#endif

static double bench_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* Runs a statement once and keeps its time per operation in `best` if it is the best one so far; 0 is none so far. */
#define BENCH(best, operations, statement)                                                 \
    do {                                                                                   \
        double bench_start = bench_now(), bench_time;                                      \
        statement;                                                                         \
        bench_time = (bench_now() - bench_start) / (double)(operations);                   \
        if ((best) == 0 || bench_time < (best))                                            \
            (best) = bench_time;                                                           \
    } while (0)

/* At most `most` times the reference; 0 is no target. */
static void bench_ratio(const char *name, double time, double reference, double most)
{
    if (MYTHREAD == 0)
        printf("%s\t%.3f\t%.3f\t%.2f\tratio\n", name, time, reference, most);
}

/* At most `most` nanoseconds; 0 is no target. */
static void bench_time(const char *name, double time, double most)
{
    if (MYTHREAD == 0)
        printf("%s\t%.3f\t-\t%.2f\tns\n", name, time, most);
}

#endif
