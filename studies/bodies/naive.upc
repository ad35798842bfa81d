/*
 * The pull of bodies as one writes it first: each body of the others is fetched when it is needed.
 *
 *     pgastool compile --network mpi -O2 -DCLASS=S -o bodies naive.upc -lm
 */
#include "bodies.h"

static void add_bodies_of(int other, pull_t *pull)
{
    int i;

    for (i = 0; i < BODIES; i++) {
        body_t body;

        upc_memget(&body, &bodies[other * BODIES + i], sizeof body);
        add_pull(pull, &body);
    }
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
