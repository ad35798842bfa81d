/*
 * FT, the Fourier transform kernel of the NAS Parallel Benchmarks (report RNR-94-007), in UPC: a diffusion equation in
 * three dimensions with periodic boundaries is solved in the space of frequencies. One forward transform, then for
 * each time step the decay of every frequency and a transform back, of which a checksum is taken.
 *
 * A thread holds either whole planes (its share of z, all x and y) for the transforms along x and y, or whole columns
 * (its share of y, all x and z) for those along z. In both forms x runs fastest, so the rows of one plane that belong
 * to one thread's columns lie side by side, and a transposition moves them with one upc_memget.
 *
 * This is the version after what the report of the first one (npb-fixtures/ft/ft.c) says: a thread's own part of a
 * transposition goes through a pointer to private instead of upc_memget, and barriers between which each thread touches its
 * own data alone are left out. As nothing separates the passes over the planes then, a plane is fetched and
 * transformed along y and x while it is in the cache. Compare the two with
 * `diff npb-fixtures/ft/ft.c studies/ft/optimised.upc`.
 *
 *     pgastool compile -O2 -DCLASS=S -o ft optimised.upc -lm      any number of threads, static or dynamic
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <upc_relaxed.h>
#include <upc_collective.h>

#include "../../npb-fixtures/common/npb.h"
#include "../../npb-fixtures/common/randdp.h"
#include "../../npb-fixtures/ft/fft.h"
#include "../../npb-fixtures/ft/ft_class.h"

#define SEED UINT64_C(314159265)
#define ALPHA 1e-6
#define TOLERANCE 1e-12
#define CHECKSUM_POINTS 1024
#define FORWARD 1
#define BACKWARD -1

/* What a thread offers to the others for a transposition, as planes or as columns. */
typedef shared [] complex_t *offer_t;

shared offer_t offers[THREADS];
shared double parts_re[THREADS], parts_im[THREADS], sum_re, sum_im;
shared double seconds[THREADS], longest_seconds;

int first_plane, planes;     /* own z */
int first_column, columns;   /* own y, if the thread holds columns */
complex_t *offered;          /* own offer */
complex_t *frequencies;      /* the field in the space of frequencies, as columns: [z][y][x] */
complex_t *field;            /* the field at one time, as planes: [z][y][x] */
double *decay;               /* of each own frequency in one time step, as columns */

static void set_up(void)
{
    size_t as_planes, as_columns, bytes;

    first_plane = NPB_FIRST_OF(NZ, MYTHREAD);
    planes = NPB_FIRST_OF(NZ, MYTHREAD + 1) - first_plane;
    first_column = NPB_FIRST_OF(NY, MYTHREAD);
    columns = NPB_FIRST_OF(NY, MYTHREAD + 1) - first_column;
    as_planes = (size_t)planes * NY * NX;
    as_columns = (size_t)NZ * columns * NX;
    /* Not nothing, even if there are more threads than planes and columns. */
    bytes = ((as_planes > as_columns ? as_planes : as_columns) + 1) * sizeof(complex_t);

    offers[MYTHREAD] = upc_alloc(bytes);
    if (offers[MYTHREAD] == NULL) {
        fprintf(stderr, "ft: thread %d: no shared memory for %zu bytes\n", MYTHREAD, bytes);
        upc_global_exit(2);
    }
    offered = (complex_t *)offers[MYTHREAD];
    frequencies = npb_allocate(as_columns * sizeof *frequencies);
    field = npb_allocate(as_planes * sizeof *field);
    decay = npb_allocate(as_columns * sizeof *decay);
    make_roots();
    upc_barrier;
}

/* Random numbers, real and imaginary part in turns, in the order of the whole field. */
static void start_field(complex_t *start)
{
    uint64_t state = randdp_skip(SEED, 2 * (uint64_t)first_plane * NY * NX);
    int z;

    for (z = 0; z < planes; z++)
        randdp_fill(&start[(size_t)z * NY * NX].re, 2 * (size_t)NY * NX, &state);
}

/* A frequency's number with its sign: 0, 1, ..., size/2 - 1, -size/2, ..., -1. */
#define SIGNED(k, size) ((k) < (size) / 2 ? (k) : (k) - (size))

static void compute_decay(void)
{
    const double pi = 3.14159265358979323846;
    size_t i = 0;
    int x, y, z;

    for (z = 0; z < NZ; z++)
        for (y = first_column; y < first_column + columns; y++)
            for (x = 0; x < NX; x++) {
                double kx = SIGNED(x, NX), ky = SIGNED(y, NY), kz = SIGNED(z, NZ);

                decay[i++] = exp(-4 * ALPHA * pi * pi * (kx * kx + ky * ky + kz * kz));
            }
}

/* Lines along x are the rows of a plane, LINES neighbours of them at a time. */
static void transform_x(complex_t *plane, int sign)
{
    int row;

    for (row = 0; row < NY; row += LINES)
        fft_lines(plane + (size_t)row * NX, NX, 1, NX, sign);
}

static void transform_y(complex_t *plane, int sign)
{
    int x;

    for (x = 0; x < NX; x += LINES)
        fft_lines(plane + x, NY, NX, 1, sign);
}

static void transform_z(complex_t *as_columns, int sign)
{
    int x, y;

    for (y = 0; y < columns; y++)
        for (x = 0; x < NX; x += LINES)
            fft_lines(as_columns + (size_t)y * NX + x, NZ, (size_t)columns * NX, 1, sign);
}

/* What a thread offers from this place on; its own data needs no transfer. */
static void fetch(complex_t *to, int thread, size_t place, size_t count)
{
    if (thread == MYTHREAD)
        memcpy(to, offered + place, count * sizeof(complex_t));
    else
        upc_memget(to, offers[thread] + place, count * sizeof(complex_t));
}

/* Own columns from the planes that all threads offer. */
static void fetch_columns(complex_t *as_columns)
{
    const size_t piece = (size_t)columns * NX;
    int thread, z;

    if (columns == 0)
        return;
    for (thread = 0; thread < THREADS; thread++) {
        int first = NPB_FIRST_OF(NZ, thread), end = NPB_FIRST_OF(NZ, thread + 1);

        for (z = first; z < end; z++)
            fetch(as_columns + z * piece, thread, ((size_t)(z - first) * NY + first_column) * NX, piece);
    }
}

/* An own plane from the columns that all threads offer. */
static void fetch_plane(complex_t *plane, int z)
{
    int thread;

    for (thread = 0; thread < THREADS; thread++) {
        int first = NPB_FIRST_OF(NY, thread);
        size_t piece = (size_t)(NPB_FIRST_OF(NY, thread + 1) - first) * NX;

        if (piece > 0)
            fetch(plane + (size_t)first * NX, thread, (first_plane + z) * piece, piece);
    }
}

static void forward_transform(void)
{
    int z;

    for (z = 0; z < planes; z++) {
        transform_x(offered + (size_t)z * NY * NX, FORWARD);
        transform_y(offered + (size_t)z * NY * NX, FORWARD);
    }
    upc_barrier;
    fetch_columns(frequencies);
    upc_barrier;
    transform_z(frequencies, FORWARD);
}

static void backward_transform(void)
{
    int z;

    transform_z(offered, BACKWARD);
    upc_barrier;
    for (z = 0; z < planes; z++) {
        complex_t *plane = field + (size_t)z * NY * NX;

        fetch_plane(plane, z);
        transform_y(plane, BACKWARD);
        transform_x(plane, BACKWARD);
    }
    upc_barrier;
}

/* One time step; the decayed frequencies are offered for the transform back. */
static void evolve(void)
{
    size_t i, count = (size_t)NZ * columns * NX;

    for (i = 0; i < count; i++) {
        frequencies[i].re *= decay[i];
        frequencies[i].im *= decay[i];
        offered[i] = frequencies[i];
    }
}

/* The mean over certain points of the field, times their number; the same on all threads. */
static complex_t checksum(void)
{
    complex_t sum = {0, 0}, result;
    int j;

    for (j = 1; j <= CHECKSUM_POINTS; j++) {
        int x = j % NX, y = 3 * j % NY, z = 5 * j % NZ;

        if (z >= first_plane && z < first_plane + planes) {
            const complex_t *point = &field[((size_t)(z - first_plane) * NY + y) * NX + x];

            sum.re += point->re;
            sum.im += point->im;
        }
    }
    parts_re[MYTHREAD] = sum.re;
    parts_im[MYTHREAD] = sum.im;
    upc_all_reduceD(&sum_re, parts_re, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    upc_all_reduceD(&sum_im, parts_im, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    /* The transforms back and forth scale by the number of points. */
    result.re = sum_re / ((double)NX * NY * NZ);
    result.im = sum_im / ((double)NX * NY * NZ);
    return result;
}

int main(void)
{
    /* As the benchmark's definition counts them. */
    const double points = (double)NX * NY * NZ;
    const double operations = points * (14.8157 + 7.19641 * log(points) + (5.23518 + 7.21113 * log(points)) * ITERATIONS);
    complex_t sums[ITERATIONS];
    char size[40], what[40];
    double start;
    int iteration, good = 1;

    snprintf(size, sizeof size, "%d x %d x %d", NX, NY, NZ);
    npb_print_start("FT", size);
    set_up();

    start = npb_now();
    compute_decay();
    start_field(offered);
    forward_transform();
    for (iteration = 0; iteration < ITERATIONS; iteration++) {
        evolve();
        backward_transform();
        sums[iteration] = checksum();
    }
    seconds[MYTHREAD] = npb_now() - start;

    upc_all_reduceD(&longest_seconds, seconds, UPC_MAX, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    for (iteration = 0; iteration < ITERATIONS; iteration++) {
        snprintf(what, sizeof what, "Iteration %2d, real part", iteration + 1);
        good &= npb_check(what, sums[iteration].re, expected_checksums[iteration][0], TOLERANCE);
        snprintf(what, sizeof what, "Iteration %2d, imaginary part", iteration + 1);
        good &= npb_check(what, sums[iteration].im, expected_checksums[iteration][1], TOLERANCE);
    }
    upc_free(offers[MYTHREAD]);
    return npb_finish("FT", size, ITERATIONS, longest_seconds, operations, "floating point", good);
}
