/*
 * Poisson's equation in three dimensions, -laplace(u) = f in the unit cube with u = 0 on its boundary, solved by
 * Jacobi's iteration. The n inner planes of the grid are dealt out to the threads in slabs; each iteration fetches the
 * neighbours' border planes, and every tenth one computes the norm of the residual.
 *
 *     pgastool compile -O2 -o jacobi jacobi.upc -lm
 *     ./jacobi [n [iterations]]                                   64 points in each dimension, 200 iterations
 *
 * Verification. Products of sines are eigenvectors of the discrete Laplacian, so for a right-hand side made of them
 * every iterate is known in closed form. For the mode sin(p pi x) sin(q pi y) sin(r pi z), grid spacing h = 1/(n+1):
 *     the exact solution has amplitude a; f has amplitude a pi^2 (p^2 + q^2 + r^2);
 *     the discrete solution has amplitude a c, c = pi^2 (p^2 + q^2 + r^2) / lambda,
 *         lambda = (4/h^2) (sin^2(p pi h/2) + sin^2(q pi h/2) + sin^2(r pi h/2));
 *     after k iterations from zero the amplitude is a c (1 - rho^k), rho = 1 - lambda h^2/6;
 *     the residual then has amplitude (that of f) rho^k.
 * Three things are checked: residual norms and the final iterate against these values, up to rounding, and the
 * distance to the exact solution against the norm that follows from c and rho.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <upc_relaxed.h>
#include <upc_collective.h>

#define PI 3.14159265358979323846
#define CHECK_INTERVAL 10

/* Rounding errors, relative to the largest value. A residual loses about as many digits as 1/h^2 has. */
#define ITERATE_TOLERANCE 1e-12
#define RESIDUAL_TOLERANCE(n) (1e-14 * ((n) + 1.0) * ((n) + 1.0))

/* Modes of the solution: wave numbers along x (within a row), y and z (across the slabs), and the amplitude. */
struct mode {
    int p, q, r;
    double amplitude;
};

static const struct mode modes[] = {{1, 1, 1, 1.0}, {2, 1, 3, 0.25}};
enum { MODES = sizeof modes / sizeof modes[0] };

/* A slab has one more plane on each side: a neighbour's border plane or the boundary of the cube. */
typedef shared [] double *slab_t;

shared slab_t slabs[2][THREADS]; /* the old and the new iterate of each thread, in turns */
shared int planes_of[THREADS];
shared double partial[THREADS], total;
shared double seconds[THREADS], longest_seconds;

int n;               /* inner points in each dimension */
int first, planes;   /* own inner planes: first, first + 1, ...; the first of all is number 1 */
size_t row, plane;   /* distance of neighbours along y and z, in elements */
double h;
double *right_side;  /* f h^2 of the own planes, laid out as the slab */

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double square(double x)
{
    return x * x;
}

static double wave_number_squared(const struct mode *m)
{
    return PI * PI * (square(m->p) + square(m->q) + square(m->r));
}

static double lambda(const struct mode *m)
{
    return 4 / square(h) * (square(sin(m->p * PI * h / 2)) + square(sin(m->q * PI * h / 2)) + square(sin(m->r * PI * h / 2)));
}

/* rho^k, the share of a mode's error that is left after k iterations. */
static double remaining(const struct mode *m, int k)
{
    return pow(1 - lambda(m) * square(h) / 6, k);
}

/* Amplitude of a mode after k iterations. */
static double iterate_amplitude(const struct mode *m, int k)
{
    return m->amplitude * wave_number_squared(m) / lambda(m) * (1 - remaining(m, k));
}

/* Value of a sum of the modes at a point of the grid. */
static double sum_of_modes(const double *amplitudes, int x, int y, int z)
{
    double sum = 0;
    int i;

    for (i = 0; i < MODES; i++)
        sum += amplitudes[i] * sin(modes[i].p * PI * h * x) * sin(modes[i].q * PI * h * y) * sin(modes[i].r * PI * h * z);
    return sum;
}

/* Root mean square over the cube of a sum of the modes: they are orthogonal on the grid too, each has mean square 1/8. */
static double norm_of_modes(const double *amplitudes)
{
    double sum = 0;
    int i;

    for (i = 0; i < MODES; i++)
        sum += square(amplitudes[i]) / 8;
    return sqrt(sum);
}

/* The sum over all threads, known to all of them. */
static double sum_over_threads(double value)
{
    partial[MYTHREAD] = value;
    upc_all_reduceD(&total, partial, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    return total;
}

/* Root mean square over all inner points, from the sum of squares over the own ones. */
static double norm(double own_squares)
{
    return sqrt(sum_over_threads(own_squares) / pow(n + 1, 3));
}

static void set_up(void)
{
    double amplitudes[MODES];
    size_t bytes;
    int i, x, y, z;

    first = 1 + (int)((long)n * MYTHREAD / THREADS);
    planes = 1 + (int)((long)n * (MYTHREAD + 1) / THREADS) - first;
    row = n + 2;
    plane = row * row;
    h = 1.0 / (n + 1);
    bytes = (planes + 2) * plane * sizeof(double);

    planes_of[MYTHREAD] = planes;
    for (i = 0; i < 2; i++) {
        slabs[i][MYTHREAD] = upc_alloc(bytes);
        memset((double *)slabs[i][MYTHREAD], 0, bytes);
    }
    right_side = malloc(bytes);
    if (right_side == NULL) {
        fprintf(stderr, "jacobi: thread %d: no memory for %zu bytes\n", MYTHREAD, bytes);
        upc_global_exit(2);
    }
    for (i = 0; i < MODES; i++)
        amplitudes[i] = modes[i].amplitude * wave_number_squared(&modes[i]) * square(h);
    for (z = 1; z <= planes; z++)
        for (y = 1; y <= n; y++)
            for (x = 1; x <= n; x++)
                right_side[z * plane + y * row + x] = sum_of_modes(amplitudes, x, y, first + z - 1);
    upc_barrier;
}

/* Copies the neighbours' border planes into the own slab. */
static void exchange(int side)
{
    double *own = (double *)slabs[side][MYTHREAD];

    if (MYTHREAD > 0)
        upc_memget(own, slabs[side][MYTHREAD - 1] + planes_of[MYTHREAD - 1] * plane, plane * sizeof(double));
    if (MYTHREAD < THREADS - 1)
        upc_memget(own + (planes + 1) * plane, slabs[side][MYTHREAD + 1] + plane, plane * sizeof(double));
}

/* One iteration on the own planes. */
static void sweep(const double *restrict from, double *restrict to)
{
    int x, y, z;

    for (z = 1; z <= planes; z++)
        for (y = 1; y <= n; y++) {
            size_t start = z * plane + y * row;

            for (x = 1; x <= n; x++) {
                size_t i = start + x;

                to[i] = (from[i - 1] + from[i + 1] + from[i - row] + from[i + row] + from[i - plane] + from[i + plane] +
                         right_side[i]) / 6;
            }
        }
}

/* Norm of f + laplace(u). One iteration changes u by the residual times h^2/6, so no further sweep is needed. */
static double residual_norm(const double *before, const double *after)
{
    double sum = 0, scale = 6 / square(h);
    int x, y, z;

    for (z = 1; z <= planes; z++)
        for (y = 1; y <= n; y++)
            for (x = 1; x <= n; x++) {
                size_t i = z * plane + y * row + x;
                double residual = (after[i] - before[i]) * scale;

                sum += residual * residual;
            }
    return norm(sum);
}

static int check(const char *what, double found, double expected, double tolerance)
{
    int good = fabs(found - expected) <= tolerance; /* false for NaN too */

    if (MYTHREAD == 0 && !good)
        printf("jacobi: %s is %.15e, expected is %.15e within %.1e\n", what, found, expected, tolerance);
    return good;
}

/* The norms that theory predicts for the residual of iterate k, and for the distance of iterate k to the solution. */
static double expected_residual(int k)
{
    double amplitudes[MODES];
    int i;

    for (i = 0; i < MODES; i++)
        amplitudes[i] = modes[i].amplitude * wave_number_squared(&modes[i]) * remaining(&modes[i], k);
    return norm_of_modes(amplitudes);
}

static double expected_error(int k)
{
    double amplitudes[MODES];
    int i;

    for (i = 0; i < MODES; i++)
        amplitudes[i] = iterate_amplitude(&modes[i], k) - modes[i].amplitude;
    return norm_of_modes(amplitudes);
}

/* Compares the last iterate with theory, point by point, and with the exact solution. */
static int verify(const double *u, int iterations)
{
    double predicted[MODES], exact[MODES], deviation = 0, distance = 0, error;
    int i, x, y, z, good;

    for (i = 0; i < MODES; i++) {
        predicted[i] = iterate_amplitude(&modes[i], iterations);
        exact[i] = modes[i].amplitude;
    }
    for (z = 1; z <= planes; z++)
        for (y = 1; y <= n; y++)
            for (x = 1; x <= n; x++) {
                double value = u[z * plane + y * row + x];
                double from_predicted = value - sum_of_modes(predicted, x, y, first + z - 1);
                double from_exact = value - sum_of_modes(exact, x, y, first + z - 1);

                deviation += from_predicted * from_predicted;
                distance += from_exact * from_exact;
            }
    good = check("deviation from the predicted iterate", norm(deviation), 0, ITERATE_TOLERANCE);
    error = norm(distance);
    good &= check("distance to the exact solution", error, expected_error(iterations), ITERATE_TOLERANCE);
    if (MYTHREAD == 0)
        printf(" Distance to the exact solution = %.6e\n", error);
    return good;
}

static int number(const char *text, const char *name, int least)
{
    char *end;
    long value = strtol(text, &end, 10);

    if (*text == '\0' || *end != '\0' || value < least || value > 4000) {
        if (MYTHREAD == 0)
            fprintf(stderr, "jacobi: %s is '%s', expected is a number from %d to 4000\n", name, text, least);
        upc_barrier;
        exit(2);
    }
    return (int)value;
}

int main(int argc, char **argv)
{
    int iterations = argc > 2 ? number(argv[2], "the number of iterations", 1) : 200;
    double start, residual = 0;
    int k, good = 1;

    n = argc > 1 ? number(argv[1], "the number of points", 4) : 64;
    if (n < THREADS) {
        if (MYTHREAD == 0)
            fprintf(stderr, "jacobi: %d planes are too few for %d threads\n", n, THREADS);
        return 2;
    }
    set_up();

    start = now();
    for (k = 0; k < iterations; k++) {
        int side = k % 2;
        double *from = (double *)slabs[side][MYTHREAD], *to = (double *)slabs[1 - side][MYTHREAD];

        exchange(side);
        sweep(from, to);
        if (k % CHECK_INTERVAL == 0) {
            residual = residual_norm(from, to);
            good &= check("the residual", residual, expected_residual(k), RESIDUAL_TOLERANCE(n) * expected_residual(0));
            if (MYTHREAD == 0)
                printf(" Iteration %4d: residual %.6e\n", k, residual);
        }
        upc_barrier;
    }
    seconds[MYTHREAD] = now() - start;
    upc_all_reduceD(&longest_seconds, seconds, UPC_MAX, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);

    good &= verify((double *)slabs[iterations % 2][MYTHREAD], iterations);
    if (MYTHREAD == 0) {
        printf("          Points = %d x %d x %d\n", n, n, n);
        printf("      Iterations = %d\n", iterations);
        printf("         Threads = %d\n", THREADS);
        printf(" Time in seconds = %.4f\n", longest_seconds);
        printf("    Verification = %s\n", good ? "SUCCESSFUL" : "UNSUCCESSFUL");
    }
    for (k = 0; k < 2; k++)
        upc_free(slabs[k][MYTHREAD]);
    free(right_side);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
