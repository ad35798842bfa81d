/*
 * How many steps the Collatz sequences of the numbers 1 to LAST take in all, until they arrive at 1: what the naive and the
 * optimised version share. A number is followed by its half if it is even, by three times itself and one if it is odd. Sequences
 * are of very different lengths, so the numbers are not dealt out in advance: threads take them from a shared queue.
 */
#ifndef NUMBERS_H
#define NUMBERS_H

#include <upc_relaxed.h>
#include <upc_collective.h>

#include "../common/study.h"

/* The sums were computed by a sequential program in Rust. */
#if NPB_CLASS == NPB_CLASS_S
#define LAST 200000L
#define EXPECTED_STEPS 22938602L
#elif NPB_CLASS == NPB_CLASS_W
#define LAST 5000000L
#define EXPECTED_STEPS 740438133L
#else
#define LAST 20000000L
#define EXPECTED_STEPS 3249531153L
#endif

static shared double seconds[THREADS], longest_seconds;

/* Compares the sum with the known one and ends the run. Collective; returns the exit status. */
static int finish(long steps, double own_seconds)
{
    int good = steps == EXPECTED_STEPS;

    seconds[MYTHREAD] = own_seconds;
    upc_all_reduceD(&longest_seconds, seconds, UPC_MAX, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    if (MYTHREAD == 0)
        printf(" Numbers: %ld\n Steps: %ld\n", LAST, steps);
    if (MYTHREAD == 0 && !good)
        printf("queue: %ld steps, expected are %ld\n", steps, EXPECTED_STEPS);
    return study_finish("queue", longest_seconds, good);
}

#endif
