/*
 * Heat that spreads on a torus, as one writes it first: each point of the neighbours' rows is fetched when it is needed.
 *
 *     pgastool compile oshcc -O2 -DCLASS=S -o heat naive.c -lm
 */
#include "strip.h"

static void step(row_t *from, row_t *to)
{
    static row_t above, below;
    int up = (shmem_my_pe() + shmem_n_pes() - 1) % shmem_n_pes();
    int down = (shmem_my_pe() + 1) % shmem_n_pes();

    for (int x = 0; x < WIDTH; x++)
        above[x] = shmem_double_g(&from[ROWS - 1][x], up);
    for (int x = 0; x < WIDTH; x++)
        below[x] = shmem_double_g(&from[0][x], down);
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
