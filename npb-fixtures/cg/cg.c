/*
 * CG, the conjugate gradient kernel of the NAS Parallel Benchmarks (report RNR-94-007), in UPC: the inverse power
 * method estimates the smallest eigenvalue of a large sparse symmetric matrix with a random pattern; each of its
 * iterations solves A z = x with 25 steps of the conjugate gradient method. The rows of the matrix and the vectors are
 * dealt out to the threads in blocks.
 *
 * This is the straightforward version, as one writes it first: for a product with the matrix every thread fetches the
 * whole vector, needed or not; for an inner product every thread reads the partial sums of all threads, one by one,
 * between two barriers; and every thread goes through the random numbers of the whole matrix to find its own rows.
 *
 *     pgastool compile -O2 -DCLASS=W -o cg cg.c -lm               any number of threads, static or dynamic
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <upc_relaxed.h>
#include <upc_collective.h>

#include "../common/npb.h"
#include "../common/randdp.h"
#include "cg_class.h"
#include "matrix.h"

#define INNER_ITERATIONS 25
#define TOLERANCE 1e-10

/* A thread's part of a vector that the others read. */
typedef shared [] double *part_t;

shared part_t directions[THREADS]; /* p of the method */
shared part_t solutions[THREADS];  /* z */
shared double partial[THREADS];
shared double seconds[THREADS], longest_seconds;

int rows;                    /* own rows */
struct matrix matrix;        /* ... and their elements */
double *x, *r, *q;           /* own parts of vectors that nobody else reads */
double *p, *z;               /* own parts of the shared ones */
double *whole;               /* a whole vector, fetched from all threads */

/* The sum over all threads, known to all of them. */
static double sum_over_threads(double value)
{
    double sum = 0;
    int thread;

    partial[MYTHREAD] = value;
    upc_barrier;
    for (thread = 0; thread < THREADS; thread++)
        sum += partial[thread];
    upc_barrier; /* before anyone writes the next partial sum */
    return sum;
}

static double inner_product(const double *a, const double *b)
{
    double sum = 0;
    int i;

    for (i = 0; i < rows; i++)
        sum += a[i] * b[i];
    return sum_over_threads(sum);
}

/* Own part of A v; all threads must have finished writing v. */
static void multiply(shared part_t *vector, double *product)
{
    int thread, row;
    long k;

    for (thread = 0; thread < THREADS; thread++) {
        int first = NPB_FIRST_OF(N, thread), count = NPB_FIRST_OF(N, thread + 1) - first;

        if (count > 0)
            upc_memget(whole + first, vector[thread], (size_t)count * sizeof(double));
    }
    for (row = 0; row < rows; row++) {
        double sum = 0;

        for (k = matrix.row_start[row]; k < matrix.row_start[row + 1]; k++)
            sum += matrix.values[k] * whole[matrix.columns[k]];
        product[row] = sum;
    }
}

/* Solves A z = x approximately. Returns the norm of the residual x - A z. */
static double solve(void)
{
    double rho, previous_rho, alpha, beta, sum = 0;
    int i, step;

    for (i = 0; i < rows; i++) {
        z[i] = 0;
        r[i] = p[i] = x[i];
    }
    rho = inner_product(r, r);
    for (step = 0; step < INNER_ITERATIONS; step++) {
        multiply(directions, q);
        alpha = rho / inner_product(p, q);
        for (i = 0; i < rows; i++) {
            z[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        previous_rho = rho;
        rho = inner_product(r, r);
        beta = rho / previous_rho;
        for (i = 0; i < rows; i++)
            p[i] = r[i] + beta * p[i];
        upc_barrier;
    }

    multiply(solutions, q);
    for (i = 0; i < rows; i++)
        sum += (x[i] - q[i]) * (x[i] - q[i]);
    return sqrt(sum_over_threads(sum));
}

/* One step of the inverse power method: x becomes z / |z|. Returns the estimate of the eigenvalue. */
static double power_step(double *residual)
{
    double x_z, z_norm;
    int i;

    *residual = solve();
    x_z = inner_product(x, z);
    z_norm = sqrt(inner_product(z, z));
    for (i = 0; i < rows; i++)
        x[i] = z[i] / z_norm;
    return SHIFT + 1 / x_z;
}

static void start_vector(void)
{
    int i;

    for (i = 0; i < rows; i++)
        x[i] = 1;
}

static double *shared_part(shared part_t *vector)
{
    size_t bytes = (size_t)(rows + 1) * sizeof(double); /* not nothing, even if there are more threads than rows */

    vector[MYTHREAD] = upc_alloc(bytes);
    if (vector[MYTHREAD] == NULL) {
        fprintf(stderr, "cg: thread %d: no shared memory for %zu bytes\n", MYTHREAD, bytes);
        upc_global_exit(2);
    }
    return (double *)vector[MYTHREAD];
}

int main(void)
{
    /* As the benchmark's definition counts them: products with the matrix, inner products, vector updates. */
    const double per_product = 3.0 + NONZEROS * (NONZEROS + 1);
    const double operations = 2.0 * ITERATIONS * N * (per_product + INNER_ITERATIONS * (per_product + 2) + 3);
    double start, residual, zeta = 0;
    char size[32];
    int iteration, good;

    snprintf(size, sizeof size, "%d rows", N);
    npb_print_start("CG", size);
    rows = NPB_FIRST_OF(N, MYTHREAD + 1) - NPB_FIRST_OF(N, MYTHREAD);
    make_matrix(&matrix, NPB_FIRST_OF(N, MYTHREAD), rows);
    p = shared_part(directions);
    z = shared_part(solutions);
    x = npb_allocate((size_t)rows * sizeof *x);
    r = npb_allocate((size_t)rows * sizeof *r);
    q = npb_allocate((size_t)rows * sizeof *q);
    whole = npb_allocate((size_t)N * sizeof *whole);
    upc_barrier;

    /* An untimed step touches all memory once. */
    start_vector();
    power_step(&residual);
    start_vector();
    if (MYTHREAD == 0)
        printf("   iteration       |r|            zeta\n");
    upc_barrier;

    start = npb_now();
    for (iteration = 1; iteration <= ITERATIONS; iteration++) {
        zeta = power_step(&residual);
        if (MYTHREAD == 0)
            printf("      %5d    %.6e  %.13f\n", iteration, residual, zeta);
    }
    seconds[MYTHREAD] = npb_now() - start;

    upc_all_reduceD(&longest_seconds, seconds, UPC_MAX, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    /* The definition's tolerance is absolute. */
    good = npb_check("Zeta", zeta, EXPECTED_ZETA, TOLERANCE / EXPECTED_ZETA);
    upc_free(directions[MYTHREAD]);
    upc_free(solutions[MYTHREAD]);
    return npb_finish("CG", size, ITERATIONS, longest_seconds, operations, "floating point", good);
}
