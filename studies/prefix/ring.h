/*
 * Particles that move round a ring of cells, and their order by cells after each step: what the naive and the optimised version
 * share. The particles are dealt out to the threads; each moves at its own speed. The place of a particle in the order is
 * the number of all particles in lower cells, those in its cell on lower threads, and those in its cell before it on its own
 * thread. So a thread needs for each cell the number of particles that come before its own: a prefix reduction.
 *
 * Verification. Where a particle is after all steps follows from its start and speed; the places after the last step are
 * compared with those that each thread finds by going through all particles.
 */
#ifndef RING_H
#define RING_H

#include <stdint.h>
#include <string.h>

#include <upc_relaxed.h>
#include <upc_collective.h>

#include "../common/study.h"

#if NPB_CLASS == NPB_CLASS_S
#define PARTICLES (1 << 15)
#define STEPS 20
#elif NPB_CLASS == NPB_CLASS_W
#define PARTICLES (1 << 15)
#define STEPS 100
#else
#define PARTICLES (1 << 17)
#define STEPS 1000
#endif

/* The ring is as long as there are 32-bit numbers, so it closes by itself. */
#define CELL_BITS 8
#define CELLS (1 << CELL_BITS)
#define CELL_OF(position) ((position) >> (32 - CELL_BITS))
#define START_OF(particle) ((uint32_t)(particle) * UINT32_C(2654435769))
#define SPEED_OF(particle) ((uint32_t)(particle) * UINT32_C(40503) + 1)

static shared double seconds[THREADS], longest_seconds;
static shared long wrong[THREADS], all_wrong;

static int first_particle, particles; /* own ones */
static uint32_t *positions;
static int *places;      /* in the order of all particles */
static long own[CELLS];  /* own particles in each cell */
static long next[CELLS]; /* place of the next own particle in each cell */

static void set_up(void)
{
    int i;

    first_particle = NPB_FIRST_OF(PARTICLES, MYTHREAD);
    particles = NPB_FIRST_OF(PARTICLES, MYTHREAD + 1) - first_particle;
    positions = npb_allocate((size_t)particles * sizeof *positions);
    places = npb_allocate((size_t)particles * sizeof *places);
    for (i = 0; i < particles; i++)
        positions[i] = START_OF(first_particle + i);
}

/* All particles move; own ones are counted. */
static void move(void)
{
    int i;

    memset(own, 0, sizeof own);
    for (i = 0; i < particles; i++) {
        positions[i] += SPEED_OF(first_particle + i);
        own[CELL_OF(positions[i])]++;
    }
}

/* Gives each own particle its place, from where the own ones in a cell begin. */
static void place(void)
{
    int i;

    for (i = 0; i < particles; i++)
        places[i] = (int)next[CELL_OF(positions[i])]++;
}

/* Checks the places after the last step and ends the run. Collective; returns the exit status. */
static int finish(double own_seconds)
{
    long expected[CELLS] = {0}, before = 0;
    int cell, i;

    /* Particles in each cell, then places: those in lower cells, and those before the own ones. */
    for (i = 0; i < PARTICLES; i++)
        expected[CELL_OF(START_OF(i) + STEPS * SPEED_OF(i))]++;
    for (cell = 0; cell < CELLS; cell++) {
        long here = expected[cell];

        expected[cell] = before;
        before += here;
    }
    for (i = 0; i < first_particle; i++)
        expected[CELL_OF(START_OF(i) + STEPS * SPEED_OF(i))]++;

    wrong[MYTHREAD] = 0;
    for (i = 0; i < particles; i++)
        wrong[MYTHREAD] += places[i] != expected[CELL_OF(START_OF(first_particle + i) + STEPS * SPEED_OF(first_particle + i))]++;
    seconds[MYTHREAD] = own_seconds;
    upc_all_reduceL(&all_wrong, wrong, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    upc_all_reduceD(&longest_seconds, seconds, UPC_MAX, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    if (MYTHREAD == 0 && all_wrong > 0)
        printf("prefix: %ld of %d particles are at wrong places, expected are 0\n", all_wrong, PARTICLES);
    return study_finish("prefix", longest_seconds, all_wrong == 0);
}

#endif
