/*
 * A square plate whose edge is kept at temperature 0, and how its temperature evens out by Jacobi's iteration: what the
 * naive and the optimised version share. The grid has POINTS x POINTS inner points; row i of it, edge included, has
 * affinity to thread i % THREADS.
 *
 * Verification. Products of sines are eigenvectors of the iteration. The plate starts with the sum of two of them,
 * amplitude * sin(p pi h x) sin(q pi h y), h = 1 / (POINTS + 1). Each iteration multiplies such a mode by
 * rho = (cos(p pi h) + cos(q pi h)) / 2, so every iterate is known in closed form, and so is the sum of the squares of all
 * changes in iteration k: that of (amplitude rho^k (1 - rho))^2 (POINTS + 1)^2 / 4 over the modes, which are orthogonal
 * on the grid.
 */
#ifndef PLATE_H
#define PLATE_H

#include <string.h>

#include <upc_relaxed.h>
#include <upc_collective.h>

#include "../common/study.h"

#if NPB_CLASS == NPB_CLASS_S
#define POINTS 512
#define ITERATIONS 8
#elif NPB_CLASS == NPB_CLASS_W
#define POINTS 512
#define ITERATIONS 500
#else
#define POINTS 1024
#define ITERATIONS 1000
#endif

#define WIDTH (POINTS + 2)
#define TOLERANCE 1e-9

/* Row after row. */
typedef shared [WIDTH] double *grid_t;

struct mode {
    int p, q;
    double amplitude;
};

static const struct mode modes[] = {{1, 1, 100.0}, {3, 2, 40.0}};
enum { MODES = sizeof modes / sizeof modes[0] };

static shared double longest_seconds, largest_error, change;
static shared double seconds[THREADS], errors[THREADS], changes[THREADS];

static double rho(const struct mode *m)
{
    const double angle = 3.14159265358979323846 / (POINTS + 1);

    return (cos(m->p * angle) + cos(m->q * angle)) / 2;
}

/* The temperatures of a row after so many iterations. */
static void exact_row(double *row, int iterations, int y)
{
    const double angle = 3.14159265358979323846 / (POINTS + 1);
    int i, x;

    memset(row, 0, WIDTH * sizeof *row);
    for (i = 0; i < MODES && y > 0 && y <= POINTS; i++) {
        double factor = modes[i].amplitude * pow(rho(&modes[i]), iterations) * sin(modes[i].q * angle * y);

        for (x = 1; x <= POINTS; x++)
            row[x] += factor * sin(modes[i].p * angle * x);
    }
}

/* The sum of the squares of all changes in an iteration, counted from 0. */
static double exact_change(int iteration)
{
    double sum = 0;
    int i;

    for (i = 0; i < MODES; i++) {
        double change = modes[i].amplitude * pow(rho(&modes[i]), iteration) * (1 - rho(&modes[i]));

        sum += change * change * (POINTS + 1.0) * (POINTS + 1.0) / 4;
    }
    return sum;
}

/* A grid with the temperatures at the start. Collective. */
static grid_t new_grid(void)
{
    grid_t grid = upc_all_alloc(WIDTH, WIDTH * sizeof(double));
    int y;

    for (y = MYTHREAD; y < WIDTH; y += THREADS)
        exact_row((double *)&grid[y * WIDTH], 0, y);
    return grid;
}

/*
 * Compares the last iterate with theory, and the sum of the squares of its changes, of which `own_squares` are the
 * thread's; ends the run. Collective; returns the exit status.
 */
static int finish(grid_t grid, double own_squares, double own_seconds)
{
    double expected = exact_change(ITERATIONS - 1), largest = 0;
    double row[WIDTH];
    int x, y, good;

    for (y = MYTHREAD; y < WIDTH; y += THREADS) {
        const double *own = (const double *)&grid[y * WIDTH];

        exact_row(row, ITERATIONS, y);
        for (x = 0; x < WIDTH; x++)
            largest = fmax(largest, fabs(own[x] - row[x]));
    }
    errors[MYTHREAD] = largest;
    changes[MYTHREAD] = own_squares;
    seconds[MYTHREAD] = own_seconds;
    upc_all_reduceD(&change, changes, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    upc_all_reduceD(&largest_error, errors, UPC_MAX, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    upc_all_reduceD(&longest_seconds, seconds, UPC_MAX, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);

    good = largest_error <= TOLERANCE; /* false for NaN too */
    if (MYTHREAD == 0 && !good)
        printf("jacobi: the temperature is wrong by %.3e, expected is at most %.3e\n", largest_error, TOLERANCE);
    good &= npb_check("Squares of the last changes", change, expected, 1e-6);
    return study_finish("jacobi", longest_seconds, good);
}

#endif
