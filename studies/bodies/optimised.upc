/*
 * The pull of bodies with each thread's bodies fetched as one block.
 *
 *     pgastool compile --network mpi -O2 -DCLASS=S -o bodies optimised.upc -lm
 */
#include "bodies.h"

static void add_bodies_of(int other, pull_t *pull)
{
    static body_t copy[BODIES];
    int i;

    upc_memget(copy, &bodies[other * BODIES], sizeof copy);
    for (i = 0; i < BODIES; i++)
        add_pull(pull, &copy[i]);
}

int main(void)
{
    pull_t pull = {0, 0, 0};
    double start;
    int step, distance;

    place_bodies();
    upc_barrier;
    start = npb_now();
    for (step = 0; step < STEPS; step++) {
        for (distance = 1; distance < THREADS; distance++)
            add_bodies_of((MYTHREAD + distance) % THREADS, &pull);
        upc_barrier;
    }
    return finish(&pull, npb_now() - start);
}
