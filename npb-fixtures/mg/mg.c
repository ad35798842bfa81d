/*
 * MG, the multigrid kernel of the NAS Parallel Benchmarks (report RNR-94-007), in UPC: V-cycles for Poisson's equation
 * on a periodic cubic grid, with a right-hand side of ten points that are 1 and ten that are -1. The grids are dealt
 * out to the threads in slabs of planes; after each operation the threads put their border planes into the ghost
 * planes of their neighbours.
 *
 * This is the straightforward version, as one writes it first: all threads take part on all levels, also on those
 * where a thread has few planes or none, with a barrier after every exchange.
 *
 *     pgastool compile -O2 -DCLASS=W -o mg mg.c -lm               any number of threads, static or dynamic
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <upc_relaxed.h>
#include <upc_collective.h>

#include "../common/npb.h"
#include "../common/randdp.h"
#include "mg_class.h"
#include "grid.h"
#include "charges.h"

#define FINEST SIZE_LOG2
#define COARSEST 1
#define TOLERANCE 1e-8

/* The operator's weights: the point itself, neighbours across edges, across corners; across faces it is 0. */
static const double operator[3] = {-8.0 / 3, 1.0 / 6, 1.0 / 12};

shared slab_t solutions[FINEST + 1][THREADS], residuals[FINEST + 1][THREADS];
shared double partial[THREADS], total;
shared double seconds[THREADS], longest_seconds;

double *u[FINEST + 1], *r[FINEST + 1]; /* own slabs of solution and residual on each level */
double *v;                             /* the right-hand side on the finest level, private */

/*
 * The operations work on rows along x. From the rows around their own they first add up, for each x, the neighbours
 * across faces and those across edges that have this x: sums that are needed three times each. Macros, since a
 * function that is called for each row would be recorded for each row.
 */
#define ACROSS_FACES(a, row, plane) ((a)[-(row)] + (a)[row] + (a)[-(plane)] + (a)[plane])
#define ACROSS_EDGES(a, row, plane) \
    ((a)[-(plane) - (row)] + (a)[-(plane) + (row)] + (a)[(plane) - (row)] + (a)[(plane) + (row)])

/* result = right - A u; right and result may be the same. */
static void residual(const double *right, double *result, int level)
{
    const long row = ROW(level), plane = PLANE(level);
    double faces[SIZE + 2], edges[SIZE + 2];
    int n = POINTS(level), planes = PLANES(level, MYTHREAD), x, y, z;

    for (z = 1; z <= planes; z++)
        for (y = 1; y <= n; y++) {
            const double *a = u[level] + z * plane + y * row, *b = right + z * plane + y * row;
            double *c = result + z * plane + y * row;

            for (x = 0; x < row; x++) {
                faces[x] = ACROSS_FACES(a + x, row, plane);
                edges[x] = ACROSS_EDGES(a + x, row, plane);
            }
            for (x = 1; x <= n; x++)
                c[x] = b[x] - operator[0] * a[x] - operator[1] * (edges[x] + faces[x - 1] + faces[x + 1]) -
                       operator[2] * (edges[x - 1] + edges[x + 1]);
        }
    exchange(residuals[level], result, level);
}

/* u += S r. */
static void smooth(int level)
{
    const long row = ROW(level), plane = PLANE(level);
    double faces[SIZE + 2], edges[SIZE + 2];
    int n = POINTS(level), planes = PLANES(level, MYTHREAD), x, y, z;

    for (z = 1; z <= planes; z++)
        for (y = 1; y <= n; y++) {
            const double *a = r[level] + z * plane + y * row;
            double *b = u[level] + z * plane + y * row;

            for (x = 0; x < row; x++) {
                faces[x] = ACROSS_FACES(a + x, row, plane);
                edges[x] = ACROSS_EDGES(a + x, row, plane);
            }
            for (x = 1; x <= n; x++)
                b[x] += smoother[0] * a[x] + smoother[1] * (a[x - 1] + a[x + 1] + faces[x]) +
                        smoother[2] * (edges[x] + faces[x - 1] + faces[x + 1]);
        }
    exchange(solutions[level], u[level], level);
}

/* The residual of a level becomes that of the next coarser one, as a weighted mean over the points around. */
static void restrict_residual(int fine)
{
    const int coarse = fine - 1;
    const long row = ROW(fine), plane = PLANE(fine);
    double faces[SIZE + 2], edges[SIZE + 2];
    int n = POINTS(coarse), planes = PLANES(coarse, MYTHREAD), x, y, z;
    /* Where in the own fine slab the plane of the first own coarse one lies. */
    int offset = 2 * FIRST_PLANE(coarse, MYTHREAD) - FIRST_PLANE(fine, MYTHREAD) + 1;

    for (z = 1; z <= planes; z++)
        for (y = 1; y <= n; y++) {
            const double *a = r[fine] + (offset + 2 * (z - 1)) * plane + 2 * y * row;
            double *b = r[coarse] + z * PLANE(coarse) + y * ROW(coarse);

            for (x = 0; x < row; x++) {
                faces[x] = ACROSS_FACES(a + x, row, plane);
                edges[x] = ACROSS_EDGES(a + x, row, plane);
            }
            for (x = 1; x <= n; x++) {
                int i = 2 * x;

                b[x] = 0.5 * a[i] + 0.25 * (a[i - 1] + a[i + 1] + faces[i]) +
                       0.125 * (faces[i - 1] + faces[i + 1] + edges[i]) + 0.0625 * (edges[i - 1] + edges[i + 1]);
            }
        }
    exchange(residuals[coarse], r[coarse], coarse);
}

/* Adds the solution of the next coarser level, interpolated, to own planes and ghosts; so no exchange is needed. */
static void interpolate(int fine)
{
    const int coarse = fine - 1;
    const size_t row = ROW(coarse), plane = PLANE(coarse);
    int n = POINTS(fine), planes = PLANES(fine, MYTHREAD), x, y, i;

    for (i = 0; i <= planes + 1; i++) {
        int z = FIRST_PLANE(fine, MYTHREAD) + i - 1;
        /* An even point lies on a coarse one, an odd one halfway to the next. */
        const double *below = u[coarse] + (z / 2 - FIRST_PLANE(coarse, MYTHREAD) + 1) * plane;
        size_t above = z % 2 * plane;

        for (y = 0; y <= n + 1; y++) {
            const double *a = below + y / 2 * row;
            size_t next = y % 2 * row;
            double *b = u[fine] + i * PLANE(fine) + y * ROW(fine);
            double sums[SIZE / 2 + 2];

            for (x = 0; x <= n / 2 + 1; x++)
                sums[x] = 0.25 * (a[x] + a[x + next] + a[x + above] + a[x + above + next]);
            for (x = 0; x <= n / 2; x++) {
                b[2 * x] += sums[x];
                b[2 * x + 1] += 0.5 * (sums[x] + sums[x + 1]);
            }
        }
    }
}

static void clear_solution(int level)
{
    memset(u[level], 0, slab_elements(level, MYTHREAD) * sizeof(double));
}

/* One V-cycle: an approximate solution for the residual, added to the solution. */
static void v_cycle(void)
{
    int level;

    /* Before there are barriers: once a thread has smoothed, it puts its planes into the ghosts of others. */
    clear_solution(COARSEST);
    for (level = FINEST; level > COARSEST; level--)
        restrict_residual(level);

    smooth(COARSEST);
    for (level = COARSEST + 1; level <= FINEST; level++) {
        if (level < FINEST)
            clear_solution(level);
        interpolate(level);
        residual(level < FINEST ? r[level] : v, r[level], level);
        smooth(level);
    }
}

/* Root mean square of the residual, known to all threads. */
static double residual_norm(void)
{
    int planes = PLANES(FINEST, MYTHREAD), x, y, z;
    double sum = 0;

    for (z = 1; z <= planes; z++)
        for (y = 1; y <= SIZE; y++) {
            const double *row = r[FINEST] + z * PLANE(FINEST) + y * ROW(FINEST);

            for (x = 1; x <= SIZE; x++)
                sum += row[x] * row[x];
        }
    partial[MYTHREAD] = sum;
    upc_all_reduceD(&total, partial, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    return sqrt(total / ((double)SIZE * SIZE * SIZE));
}

static double *shared_slab(slabs_t slabs, int level)
{
    size_t bytes = slab_elements(level, MYTHREAD) * sizeof(double);

    slabs[MYTHREAD] = upc_alloc(bytes);
    if (slabs[MYTHREAD] == NULL) {
        fprintf(stderr, "mg: thread %d: no shared memory for %zu bytes\n", MYTHREAD, bytes);
        upc_global_exit(2);
    }
    memset((double *)slabs[MYTHREAD], 0, bytes);
    return (double *)slabs[MYTHREAD];
}

static void set_up(void)
{
    int level;

    divide_planes();
    for (level = COARSEST; level <= FINEST; level++) {
        u[level] = shared_slab(solutions[level], level);
        r[level] = shared_slab(residuals[level], level);
    }
    v = npb_allocate(slab_elements(FINEST, MYTHREAD) * sizeof *v);
    set_charges(v);
    upc_barrier;
}

static int verify(double norm)
{
#ifdef LARGEST_NORM
    int good = norm < LARGEST_NORM; /* false for NaN too */

    if (MYTHREAD == 0)
        printf(" Norm of the residual: %.6e, to be below %.0e\n", norm, LARGEST_NORM);
    return good;
#else
    return npb_check("Norm of the residual", norm, EXPECTED_NORM, TOLERANCE);
#endif
}

int main(void)
{
    double start, norm, first_norm;
    char size[40];
    int iteration, level, good;

    snprintf(size, sizeof size, "%d x %d x %d", SIZE, SIZE, SIZE);
    npb_print_start("MG", size);
    set_up();

    /* An untimed cycle touches all memory once. */
    residual(v, r[FINEST], FINEST);
    v_cycle();
    clear_solution(FINEST);
    upc_barrier;

    start = npb_now();
    residual(v, r[FINEST], FINEST);
    first_norm = residual_norm();
    for (iteration = 1; iteration <= ITERATIONS; iteration++) {
        v_cycle();
        residual(v, r[FINEST], FINEST);
    }
    norm = residual_norm();
    seconds[MYTHREAD] = npb_now() - start;

    upc_all_reduceD(&longest_seconds, seconds, UPC_MAX, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    if (MYTHREAD == 0)
        printf(" Norm of the first residual: %.6e\n", first_norm);
    good = verify(norm);
    for (level = COARSEST; level <= FINEST; level++) {
        upc_free(solutions[level][MYTHREAD]);
        upc_free(residuals[level][MYTHREAD]);
    }
    return npb_finish("MG", size, ITERATIONS, longest_seconds, 58.0 * ITERATIONS * SIZE * SIZE * SIZE,
                      "floating point", good);
}
