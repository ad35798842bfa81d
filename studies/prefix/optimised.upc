/*
 * The order of particles on a ring, after what the report of the naive version says: one prefix reduction for all cells in
 * place of one for each, and no barriers around an operation that keeps the threads together by itself.
 *
 *     pgastool compile -O2 -DCLASS=S -o prefix optimised.upc      any number of threads, static or dynamic
 */
#include "ring.h"

static shared long count[CELLS * THREADS]; /* particles in each cell, of each thread; the threads' one beside the other */
static shared long end[CELLS * THREADS];   /* the same, with those of all elements before */

/* Finds where the own particles of each cell begin. */
static void begin_cells(void)
{
    int cell;

    for (cell = 0; cell < CELLS; cell++)
        count[cell * THREADS + MYTHREAD] = own[cell];
    upc_all_prefix_reduceL(end, count, UPC_ADD, CELLS * THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    for (cell = 0; cell < CELLS; cell++)
        next[cell] = end[cell * THREADS + MYTHREAD] - own[cell];
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
