/*
 * What the programs with known waiting times share: sleeping instead of working, since threads that sleep do not
 * disturb each other on few cores; time stamps around operations; and the true waiting times that follow from them,
 * printed as lines `TRUTH <metric> <thread> <seconds>` by thread 0.
 *
 * Stamps are written through private pointers to own elements of shared arrays, so taking one is no operation of the
 * PGAS runtime, and they are compared only after the last measured operation.
 */
#ifndef TRUTH_H
#define TRUTH_H

#include <errno.h>
#include <stdio.h>
#include <time.h>

#define ROUNDS 8
#define LIMIT 64 /* barriers in a run */

/* One barrier as one thread met it. A plain upc_barrier has the same time twice. */
struct phase {
    double arrival; /* before upc_barrier or upc_notify */
    double wait;    /* before upc_barrier or upc_wait */
    int split;
    int place; /* for programs that tell call paths apart */
};

static shared [LIMIT] struct phase phases[THREADS][LIMIT];
static int barriers;

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void sleep_ms(int milliseconds)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (milliseconds % 1000) * 1000000L;
    until.tv_sec += milliseconds / 1000 + until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
        ;
}

static struct phase *own_phase(void)
{
    return (struct phase *)&phases[MYTHREAD][barriers];
}

static void stamp_barrier(int place)
{
    struct phase *own = own_phase();

    own->split = 0;
    own->place = place;
    own->arrival = own->wait = now();
    barriers++;
}

static void stamp_notify(void)
{
    struct phase *own = own_phase();

    own->split = 1;
    own->arrival = now();
}

static void stamp_wait(void)
{
    own_phase()->wait = now();
    barriers++;
}

/* Macros, so that the operation stands at the line, and in the function, that uses them. */
#define BARRIER_AT(place)     \
    do {                      \
        stamp_barrier(place); \
        upc_barrier;          \
    } while (0)
#define BARRIER BARRIER_AT(0)
#define NOTIFY          \
    do {                \
        stamp_notify(); \
        upc_notify;     \
    } while (0)
#define WAIT          \
    do {              \
        stamp_wait(); \
        upc_wait;     \
    } while (0)

static double positive(double seconds)
{
    return seconds > 0 ? seconds : 0;
}

/* What thread `thread` lost in barriers of one kind; `place` is negative for all places. */
static double lost_in_barriers(int thread, int split, int place)
{
    double lost = 0;
    int phase, other;

    for (phase = 0; phase < barriers; phase++) {
        struct phase own = phases[thread][phase];
        double last = 0;

        if (own.split != split || (place >= 0 && own.place != place))
            continue;
        for (other = 0; other < THREADS; other++) {
            double arrival = phases[other][phase].arrival;

            if (arrival > last)
                last = arrival;
        }
        lost += positive(last - own.wait);
    }
    return lost;
}

static void print_truth(const char *metric, int thread, double seconds)
{
    printf("TRUTH %s %d %.9f\n", metric, thread, seconds);
}

/* Ends a program: publishes the stamps and prints the truth about barriers. Others may print more after it. */
static void finish_barriers(void)
{
    int thread;

    upc_barrier;
    if (MYTHREAD == 0)
        for (thread = 0; thread < THREADS; thread++) {
            print_truth("wait_at_barrier", thread, lost_in_barriers(thread, 0, -1));
            print_truth("split_phase_wait", thread, lost_in_barriers(thread, 1, -1));
        }
}

#endif
