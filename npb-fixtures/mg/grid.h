/*
 * A grid of MG: SIZE^3 points or a coarser one of 2^level points in each dimension, periodic, dealt out to the threads
 * in slabs of planes. Points are numbered from 1; 0 and size + 1 are ghosts, copies of the points at the other end.
 * Point j of a grid lies where point 2j of the next finer one lies, and belongs to the same thread. So on coarse grids
 * there are threads without a plane of their own; they have their two ghost planes all the same, from which they
 * interpolate to their planes of the finer grids.
 */
#ifndef MG_GRID_H
#define MG_GRID_H

#include <stddef.h>
#include <string.h>

#include <upc_relaxed.h>

#include "../common/npb.h"
#include "mg_class.h"

/* A thread's slab, with the ghost planes below and above. */
typedef shared [] double *slab_t;

/* Slabs of all threads on one level: the solution, or its residual. */
typedef shared slab_t *slabs_t;

/* Points in each dimension of the grid of a level; elements of one of its rows and of one of its planes, with ghosts. */
#define POINTS(level) (1 << (level))
#define ROW(level) ((size_t)POINTS(level) + 2)
#define PLANE(level) (ROW(level) * ROW(level))

/* The first own plane of each thread on each level; behind the last thread's, the number of all planes and one. */
static int *first_planes[SIZE_LOG2 + 1];

#define FIRST_PLANE(level, thread) (first_planes[level][thread])
#define PLANES(level, thread) (FIRST_PLANE(level, (thread) + 1) - FIRST_PLANE(level, thread))

static void divide_planes(void)
{
    int level, thread;

    for (level = SIZE_LOG2; level >= 0; level--) {
        first_planes[level] = npb_allocate((size_t)(THREADS + 1) * sizeof(int));
        for (thread = 0; thread <= THREADS; thread++)
            first_planes[level][thread] =
                level == SIZE_LOG2 ? NPB_FIRST_OF(SIZE, thread) + 1 : (first_planes[level + 1][thread] + 1) / 2;
    }
}

static size_t slab_elements(int level, int thread)
{
    return ((size_t)PLANES(level, thread) + 2) * PLANE(level);
}

/* Copies border points of the own planes to the ghosts at the other end of the same plane. */
static void wrap_planes(double *own, int level)
{
    int n = POINTS(level), planes = PLANES(level, MYTHREAD), i, y;

    for (i = 1; i <= planes; i++) {
        double *plane = own + i * PLANE(level);

        for (y = 1; y <= n; y++) {
            double *row = plane + y * ROW(level);

            row[0] = row[n];
            row[n + 1] = row[1];
        }
        memcpy(plane, plane + n * ROW(level), ROW(level) * sizeof(double));
        memcpy(plane + (n + 1) * ROW(level), plane + ROW(level), ROW(level) * sizeof(double));
    }
}

/* If the plane is an own one, puts it into place `place` of another thread's slab. */
static void put_plane(slabs_t slabs, const double *own, int level, int plane, int thread, int place)
{
    int n = POINTS(level), first = FIRST_PLANE(level, MYTHREAD), planes = PLANES(level, MYTHREAD);

    plane = (plane + n - 1) % n + 1;
    if (plane >= first && plane < first + planes)
        upc_memput(slabs[thread] + place * PLANE(level), own + (plane - first + 1) * PLANE(level),
                   PLANE(level) * sizeof(double));
}

/*
 * Makes the ghosts of all threads those of their neighbours' planes. The barrier is at the end only: ghosts of the
 * solution are read where a residual is computed, those of a residual where it is smoothed or restricted, and each of
 * these ends with an exchange, hence a barrier, before the ghosts that it read are written again.
 */
static void exchange(slabs_t slabs, double *own, int level)
{
    int thread;

    wrap_planes(own, level);
    for (thread = 0; thread < THREADS; thread++) {
        int first = FIRST_PLANE(level, thread), planes = PLANES(level, thread);

        put_plane(slabs, own, level, first - 1, thread, 0);
        put_plane(slabs, own, level, first + planes, thread, planes + 1);
    }
    upc_barrier;
}

#endif
