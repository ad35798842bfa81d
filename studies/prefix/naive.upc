/*
 * The order of particles on a ring as one writes it first: for each cell a prefix reduction over the threads, with a barrier
 * before it, so that all have set their element, and one after it, so that the results are there.
 *
 *     pgastool compile -O2 -DCLASS=S -o prefix naive.upc          any number of threads, static or dynamic
 */
#include "ring.h"

static shared long count[THREADS]; /* particles of each thread in a cell */
static shared long end[THREADS];   /* the same, with those of all lower threads */

/* Finds where the own particles of each cell begin. */
static void begin_cells(void)
{
    long lower = 0; /* particles in lower cells */
    int cell;

    for (cell = 0; cell < CELLS; cell++) {
        count[MYTHREAD] = own[cell];
        upc_barrier;
        upc_all_prefix_reduceL(end, count, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
        upc_barrier;
        next[cell] = lower + end[MYTHREAD] - own[cell];
        lower += end[THREADS - 1];
    }
}

int main(void)
{
    double start;
    int step;

    set_up();
    upc_barrier;
    start = npb_now();
    for (step = 0; step < STEPS; step++) {
        move();
        begin_cells();
        place();
    }
    return finish(npb_now() - start);
}
