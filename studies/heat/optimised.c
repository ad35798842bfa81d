/*
 * Heat that spreads on a torus, with the neighbours' rows fetched as blocks.
 *
 *     pgastool compile oshcc -O2 -DCLASS=S -o heat optimised.c -lm
 */
#include "strip.h"

static void step(row_t *from, row_t *to)
{
    static row_t above, below;
    int up = (shmem_my_pe() + shmem_n_pes() - 1) % shmem_n_pes();
    int down = (shmem_my_pe() + 1) % shmem_n_pes();

    shmem_getmem(above, from[ROWS - 1], sizeof above, up);
    shmem_getmem(below, from[0], sizeof below, down);
    spread_strip(above, from, below, to);
}

int main(void)
{
    shmem_init();
    start_wave();
    shmem_barrier_all();
    double start = npb_now();
    for (int number = 0; number < STEPS; number++) {
        step(strips[number % 2], strips[1 - number % 2]);
        shmem_barrier_all();
    }
    int status = finish(npb_now() - start);
    shmem_finalize();
    return status;
}
