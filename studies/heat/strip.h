/*
 * Heat that spreads on a torus of points, in OpenSHMEM: the common part of both versions. Each PE has a strip of
 * ROWS rows, and needs the row above it and the row below it, which are the neighbours'. Both rows are fetched in each step.
 *
 * Verification. A step replaces each point by the mean of its four neighbours. A cosine wave along both directions keeps
 * its shape, and its height is multiplied in each step by the mean of the cosines of its two angles.
 */
#ifndef STRIP_H
#define STRIP_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <shmem.h>

#include "../../npb-fixtures/common/class.h"

#if NPB_CLASS == NPB_CLASS_S
#define STEPS 10
#elif NPB_CLASS == NPB_CLASS_W
#define STEPS 200
#elif NPB_CLASS == NPB_CLASS_A
#define STEPS 2000
#else
#error "unknown class: compile with -DCLASS=S, W or A"
#endif
#define WIDTH 4096
#define ROWS 64

typedef double row_t[WIDTH];

static row_t strips[2][ROWS];
static double own_seconds, longest_seconds, own_error, largest_error;
static double reduction_memory[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long reduction_sync[SHMEM_REDUCE_SYNC_SIZE];

/* Radians from one point to the next, along a row and across rows: the wave fits the torus once. */
static inline double angle_along(void)
{
    return 2 * acos(-1) / WIDTH;
}

static inline double angle_across(void)
{
    return 2 * acos(-1) / (ROWS * shmem_n_pes());
}

static inline double wave(int y, int x)
{
    return cos(angle_across() * (shmem_my_pe() * ROWS + y)) * cos(angle_along() * x);
}

static inline void start_wave(void)
{
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < WIDTH; x++)
            strips[0][y][x] = wave(y, x);
}

static inline void spread_row(const double *above, const double *row, const double *below, double *to)
{
    to[0] = (above[0] + below[0] + row[WIDTH - 1] + row[1]) / 4;
    for (int x = 1; x < WIDTH - 1; x++)
        to[x] = (above[x] + below[x] + row[x - 1] + row[x + 1]) / 4;
    to[WIDTH - 1] = (above[WIDTH - 1] + below[WIDTH - 1] + row[WIDTH - 2] + row[0]) / 4;
}

static inline void spread_strip(const double *above, row_t *from, const double *below, row_t *to)
{
    for (int y = 0; y < ROWS; y++)
        spread_row(y > 0 ? from[y - 1] : above, from[y], y < ROWS - 1 ? from[y + 1] : below, to[y]);
}

static inline double error_of(row_t *strip)
{
    double height = pow((cos(angle_along()) + cos(angle_across())) / 2, STEPS), error = 0;

    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < WIDTH; x++)
            error = fmax(error, fabs(strip[y][x] - height * wave(y, x)));
    return error;
}

static inline void maximum_of(double *to, double *own)
{
    shmem_barrier_all();
    shmem_double_max_to_all(to, own, 1, 0, 0, shmem_n_pes(), reduction_memory, reduction_sync);
    shmem_barrier_all();
}

/* PE 0 prints the run's result. Returns the exit status. */
static inline int finish(double seconds)
{
    for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++)
        reduction_sync[i] = SHMEM_SYNC_VALUE;
    own_seconds = seconds;
    own_error = error_of(strips[STEPS % 2]);
    maximum_of(&longest_seconds, &own_seconds);
    maximum_of(&largest_error, &own_error);
    int successful = largest_error < 1e-9;
    if (shmem_my_pe() == 0) {
        printf(" heat, class %s, %d PEs\n", NPB_CLASS_NAME, shmem_n_pes());
        printf(" time = %.6f s\n", longest_seconds);
        if (!successful)
            printf(" a point is off by %g, expected is less than 1e-9\n", largest_error);
        printf(" Verification = %s\n", successful ? "SUCCESSFUL" : "UNSUCCESSFUL");
    }
    return successful ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
