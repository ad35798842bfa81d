/*
 * The right-hand side of MG: a random number for each point, x fastest; the points of the ten largest get 1, those of
 * the ten smallest -1, all others 0. Every thread looks through its own planes and shows its candidates to the others.
 */
#ifndef MG_CHARGES_H
#define MG_CHARGES_H

#include <stdint.h>
#include <string.h>

#include <upc_relaxed.h>

#include "../common/npb.h"
#include "../common/randdp.h"
#include "grid.h"

#define CHARGES_SEED UINT64_C(314159265)
#define CHARGES 10

/* A point by its number among all, without ghosts, and its random number. */
struct candidate {
    double value;
    long point;
};

/* The best so far, best first; `count` is less than CHARGES only if there were fewer. */
struct ranking {
    int count;
    struct candidate best[CHARGES];
};

shared struct ranking largest_of[THREADS], smallest_of[THREADS];

/* Puts a candidate in its place, if it is among the best; `sign` is 1 if large numbers are good, -1 if small ones are. */
static void consider(struct ranking *ranking, struct candidate candidate, int sign)
{
    int place;

    if (ranking->count == CHARGES) {
        if (sign * candidate.value <= sign * ranking->best[CHARGES - 1].value)
            return;
    } else {
        ranking->count++;
    }
    for (place = ranking->count - 1; place > 0; place--) {
        if (sign * ranking->best[place - 1].value >= sign * candidate.value)
            break;
        ranking->best[place] = ranking->best[place - 1];
    }
    ranking->best[place] = candidate;
}

/* Candidates among the own planes. */
static void find_candidates(struct ranking *largest, struct ranking *smallest)
{
    long first = (long)(FIRST_PLANE(SIZE_LOG2, MYTHREAD) - 1) * SIZE * SIZE;
    long rows = (long)PLANES(SIZE_LOG2, MYTHREAD) * SIZE, i;
    uint64_t state = randdp_skip(CHARGES_SEED, first);
    double numbers[SIZE];
    int x;

    for (i = 0; i < rows; i++) {
        randdp_fill(numbers, SIZE, &state);
        for (x = 0; x < SIZE; x++) {
            struct candidate candidate = {numbers[x], first + i * SIZE + x};

            if (largest->count < CHARGES || candidate.value > largest->best[CHARGES - 1].value)
                consider(largest, candidate, 1);
            if (smallest->count < CHARGES || candidate.value < smallest->best[CHARGES - 1].value)
                consider(smallest, candidate, -1);
        }
    }
}

/* Gives the best points of all threads a charge, as far as they are own ones. */
static void charge(double *v, shared struct ranking *rankings, int sign)
{
    struct ranking all = {0};
    int thread, i;

    for (thread = 0; thread < THREADS; thread++) {
        struct ranking other = rankings[thread];

        for (i = 0; i < other.count; i++)
            consider(&all, other.best[i], sign);
    }
    for (i = 0; i < all.count; i++) {
        long point = all.best[i].point;
        int x = (int)(point % SIZE), y = (int)(point / SIZE % SIZE), z = (int)(point / SIZE / SIZE);

        z -= FIRST_PLANE(SIZE_LOG2, MYTHREAD) - 1;
        if (z >= 0 && z < PLANES(SIZE_LOG2, MYTHREAD))
            v[(z + 1) * PLANE(SIZE_LOG2) + (y + 1) * ROW(SIZE_LOG2) + x + 1] = sign;
    }
}

/* Fills the own slab of the right-hand side, which must be zero; ghosts stay zero, nobody reads them. */
static void set_charges(double *v)
{
    struct ranking largest = {0}, smallest = {0};

    find_candidates(&largest, &smallest);
    largest_of[MYTHREAD] = largest;
    smallest_of[MYTHREAD] = smallest;
    upc_barrier;
    charge(v, largest_of, 1);
    charge(v, smallest_of, -1);
}

#endif
