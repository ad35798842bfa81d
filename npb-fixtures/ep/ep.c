/*
 * EP, the embarrassingly parallel kernel of the NAS Parallel Benchmarks (report RNR-94-007), in UPC. Pairs of uniform
 * pseudo-random numbers become pairs of Gaussian deviates, which are added up and counted by the square annulus they
 * lie in. Batches of pairs are dealt out to the threads like cards; each batch finds its own place in the sequence of
 * numbers, so threads need nothing from each other until the end.
 *
 * This is the straightforward version: at the end every thread adds its results to shared ones, one value after the
 * other, under a lock that all threads want at about the same time.
 *
 *     pgastool compile -O2 -DCLASS=W -o ep ep.c -lm               any number of threads, static or dynamic
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <upc.h>
#include <upc_collective.h>

#include "../common/npb.h"
#include "../common/randdp.h"
#include "ep_class.h"

#define SEED UINT64_C(271828183)
#define TOLERANCE 1e-8

#define BATCH_LOG2 16
#define PAIRS_PER_BATCH (1 << BATCH_LOG2)
#define BATCHES (1 << (PAIRS_LOG2 - BATCH_LOG2))
#define ANNULI 10

shared double sum_x, sum_y;
shared [] long counts[ANNULI];
shared double seconds[THREADS], longest_seconds;
upc_lock_t *results_lock;

double own_x, own_y;
long own_counts[ANNULI];
double numbers[2 * PAIRS_PER_BATCH];

/* The polar method: points in the unit circle become two deviates each. */
static void do_batch(int batch)
{
    uint64_t state = randdp_skip(SEED, (uint64_t)batch * 2 * PAIRS_PER_BATCH);
    int i;

    randdp_fill(numbers, 2 * PAIRS_PER_BATCH, &state);
    for (i = 0; i < PAIRS_PER_BATCH; i++) {
        double x = 2 * numbers[2 * i] - 1, y = 2 * numbers[2 * i + 1] - 1;
        double t = x * x + y * y;

        if (t <= 1) {
            double factor = sqrt(-2 * log(t) / t);

            x *= factor;
            y *= factor;
            own_x += x;
            own_y += y;
            own_counts[(int)fmax(fabs(x), fabs(y))]++;
        }
    }
}

static void add_results(void)
{
    int i;

    upc_lock(results_lock);
    sum_x += own_x;
    sum_y += own_y;
    for (i = 0; i < ANNULI; i++)
        counts[i] += own_counts[i];
    upc_unlock(results_lock);
}

int main(void)
{
    char size[32];
    double start;
    long pairs = 0;
    int batch, i, good;

    snprintf(size, sizeof size, "2^%d pairs", PAIRS_LOG2);
    npb_print_start("EP", size);
    results_lock = upc_all_lock_alloc();
    upc_barrier;

    start = npb_now();
    upc_forall (batch = 0; batch < BATCHES; batch++; batch)
        do_batch(batch);
    add_results();
    upc_barrier;
    seconds[MYTHREAD] = npb_now() - start;

    upc_all_reduceD(&longest_seconds, seconds, UPC_MAX, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    good = npb_check("Sum of x", sum_x, EXPECTED_SUM_X, TOLERANCE);
    good &= npb_check("Sum of y", sum_y, EXPECTED_SUM_Y, TOLERANCE);
    if (MYTHREAD == 0) {
        for (i = 0; i < ANNULI; i++) {
            printf(" Annulus %d: %ld\n", i, counts[i]);
            pairs += counts[i];
        }
        printf(" Gaussian pairs: %ld\n", pairs);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        upc_lock_free(results_lock);
    return npb_finish("EP", size, 1, longest_seconds, 2 * ldexp(1, PAIRS_LOG2), "random numbers generated", good);
}
