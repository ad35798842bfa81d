/*
 * Loops over own elements against the plain C loop over as many private ones: `a[i] = a[i] * c + 1` in upc_forall over
 * a cyclic and a blocked array, in the forms that programs use, and through a pointer to local; sums, several arrays,
 * values that depend on the index, and elements of the size of an int.
 */
#include <stdlib.h>
#include <upc_relaxed.h>

#include "bench.h"

#define OWN 2048 /* elements of a thread: half of the first-level cache */
#define BLOCK 256
#define ROUNDS 20
#define NOINLINE __attribute__((noinline))

struct pair {
    double x, y;
};

shared double cyclic[OWN * THREADS];
shared [BLOCK] double blocked[OWN * THREADS];
shared [OWN] double one_block[OWN * THREADS];
shared [OWN] double rows[THREADS][OWN];
shared struct pair pairs[OWN * THREADS];
shared double cyclic_b[OWN * THREADS], cyclic_c[OWN * THREADS];
shared int numbers[OWN * THREADS];
shared [BLOCK] int blocked_numbers[OWN * THREADS];
double *plain, *plain_pairs, *plain_b, *plain_c;
int *plain_numbers;
double total;
int counter;

static NOINLINE void plain_loop(double *a, double c)
{
    int i;

    for (i = 0; i < OWN; i++)
        a[i] = a[i] * c + 1;
}

static NOINLINE void plain_down(double *a, double c)
{
    int i;

    for (i = OWN - 1; i >= 0; i--)
        a[i] = a[i] * c + 1;
}

static NOINLINE void plain_strided(double *a, double c)
{
    int i;

    for (i = 0; i < OWN; i++)
        a[2 * i] = a[2 * i] * c + 1;
}

static NOINLINE void plain_sum(double *a, double c)
{
    double sum = c;
    int i;

    for (i = 0; i < OWN; i++)
        sum += a[i];
    total = sum;
}

static NOINLINE void plain_triad(double *a, double c)
{
    double *b = plain_b, *d = plain_c;
    int i;

    for (i = 0; i < OWN; i++)
        a[i] = b[i] + c * d[i];
}

static NOINLINE void plain_index(double *a, double c)
{
    int i;

    for (i = 0; i < OWN; i++)
        a[i] = i * c;
}

static NOINLINE void plain_numbering(int *a, double c)
{
    int i;

    (void)c;
    for (i = 0; i < OWN; i++)
        a[i] = i;
}

static NOINLINE void plain_increment(int *a, double c)
{
    int i;

    (void)c;
    for (i = 0; i < OWN; i++)
        a[i]++;
}

static NOINLINE void forall_sum(double c)
{
    double sum = c;
    int i;

    upc_forall (i = 0; i < OWN * THREADS; i++; &cyclic[i])
        sum += cyclic[i];
    total = sum;
}

static NOINLINE void forall_sum_one_block(double c)
{
    double sum = c;
    int i;

    upc_forall (i = 0; i < OWN * THREADS; i++; &one_block[i])
        sum += one_block[i];
    total = sum;
}

static NOINLINE void forall_triad(double c)
{
    int i;

    upc_forall (i = 0; i < OWN * THREADS; i++; &cyclic[i])
        cyclic[i] = cyclic_b[i] + c * cyclic_c[i];
}

static NOINLINE void forall_index(double c)
{
    int i;

    upc_forall (i = 0; i < OWN * THREADS; i++; &cyclic[i])
        cyclic[i] = i * c;
}

static NOINLINE void forall_index_blocked(double c)
{
    int i;

    upc_forall (i = 0; i < OWN * THREADS; i++; &blocked[i])
        blocked[i] = i * c;
}

static NOINLINE void forall_numbering(double c)
{
    int i;

    (void)c;
    upc_forall (i = 0; i < OWN * THREADS; i++; &numbers[i])
        numbers[i] = i;
}

static NOINLINE void forall_increment(double c)
{
    int i;

    (void)c;
    upc_forall (i = 0; i < OWN * THREADS; i++; &blocked_numbers[i])
        blocked_numbers[i]++;
}

static NOINLINE void forall_cyclic(double c)
{
    int i;

    upc_forall (i = 0; i < OWN * THREADS; i++; &cyclic[i])
        cyclic[i] = cyclic[i] * c + 1;
}

static NOINLINE void forall_blocked(double c)
{
    int i;

    upc_forall (i = 0; i < OWN * THREADS; i++; &blocked[i])
        blocked[i] = blocked[i] * c + 1;
}

static NOINLINE void forall_one_block(double c)
{
    int i;

    upc_forall (i = 0; i < OWN * THREADS; i++; &one_block[i])
        one_block[i] = one_block[i] * c + 1;
}

static NOINLINE void forall_integer(double c)
{
    int i;

    upc_forall (i = 0; i < OWN * THREADS; i++; i % THREADS)
        cyclic[i] = cyclic[i] * c + 1;
}

static NOINLINE void forall_down(double c)
{
    int i;

    upc_forall (i = OWN * THREADS - 1; i >= 0; i--; &blocked[i])
        blocked[i] = blocked[i] * c + 1;
}

static NOINLINE void forall_global_variable(double c)
{
    upc_forall (counter = 0; counter != OWN * THREADS; counter++; &cyclic[counter])
        cyclic[counter] = cyclic[counter] * c + 1;
}

static NOINLINE void forall_member(double c)
{
    int i;

    upc_forall (i = 0; i < OWN * THREADS; i++; &pairs[i])
        pairs[i].x = pairs[i].x * c + 1;
}

static NOINLINE void forall_rows(double c)
{
    int i, j;

    upc_forall (i = 0; i < THREADS; i++; &rows[i][0])
        for (j = 0; j < OWN; j++)
            rows[i][j] = rows[i][j] * c + 1;
}

static NOINLINE void steps_of_threads(double c)
{
    int i;

    for (i = MYTHREAD; i < OWN * THREADS; i += THREADS)
        cyclic[i] = cyclic[i] * c + 1;
}

static NOINLINE void times_threads(double c)
{
    int i;

    for (i = 0; i < OWN; i++)
        cyclic[i * THREADS + MYTHREAD] = cyclic[i * THREADS + MYTHREAD] * c + 1;
}

static NOINLINE void cast_to_local(double c)
{
    double *own = (double *)&one_block[MYTHREAD * OWN];
    int i;

    for (i = 0; i < OWN; i++)
        own[i] = own[i] * c + 1;
}

#define MEASURE(name, function, plain_function, array, most)                                \
    do {                                                                                    \
        double time = 0, reference = 0;                                                     \
        int repetition, round;                                                              \
        for (repetition = 0; repetition < REPETITIONS; repetition++) {                      \
            BENCH(time, ROUNDS * OWN, for (round = 0; round < ROUNDS; round++) function(c)); \
            BENCH(reference, ROUNDS * OWN,                                                  \
                  for (round = 0; round < ROUNDS; round++) plain_function(array, c));       \
        }                                                                                   \
        upc_barrier;                                                                        \
        bench_ratio(name, time, reference, most);                                           \
    } while (0)

int main(void)
{
    volatile double factor = 0.5;
    double c = factor;

    plain = aligned_alloc(64, OWN * sizeof *plain);
    plain_pairs = aligned_alloc(64, 2 * OWN * sizeof *plain_pairs);
    plain_b = aligned_alloc(64, OWN * sizeof *plain_b);
    plain_c = aligned_alloc(64, OWN * sizeof *plain_c);
    plain_numbers = aligned_alloc(64, OWN * sizeof *plain_numbers);
    if (plain == NULL || plain_pairs == NULL || plain_b == NULL || plain_c == NULL || plain_numbers == NULL)
        return 2;
    for (int i = 0; i < OWN; i++)
        plain[i] = plain_pairs[2 * i] = plain_b[i] = plain_c[i] = plain_numbers[i] = 0;
    upc_barrier;
    MEASURE("own element, cyclic", forall_cyclic, plain_loop, plain, 1.3);
    MEASURE("own element, blocked", forall_blocked, plain_loop, plain, 1.3);
    MEASURE("own element, one block a thread", forall_one_block, plain_loop, plain, 1.3);
    MEASURE("own element, affinity i % THREADS", forall_integer, plain_loop, plain, 1.3);
    MEASURE("own element, blocked, counting down", forall_down, plain_down, plain, 1.3);
    MEASURE("own element, variable of the file, !=", forall_global_variable, plain_loop, plain, 1.3);
    MEASURE("own element, member of a structure", forall_member, plain_strided, plain_pairs, 1.3);
    MEASURE("own element, rows", forall_rows, plain_loop, plain, 1.3);
    MEASURE("own element, sum, cyclic", forall_sum, plain_sum, plain, 1.3);
    MEASURE("own element, sum, one block a thread", forall_sum_one_block, plain_sum, plain, 1.3);
    MEASURE("own element, three arrays", forall_triad, plain_triad, plain, 1.3);
    MEASURE("own element, from its index, cyclic", forall_index, plain_index, plain, 1.3);
    MEASURE("own element, from its index, blocked", forall_index_blocked, plain_index, plain, 1.3);
    MEASURE("own element, its index as int, cyclic", forall_numbering, plain_numbering, plain_numbers, 1.3);
    MEASURE("own element, int, increment, blocked", forall_increment, plain_increment, plain_numbers, 1.3);
    MEASURE("own element, for with steps of THREADS", steps_of_threads, plain_loop, plain, 0);
    MEASURE("own element, [i * THREADS + MYTHREAD]", times_threads, plain_loop, plain, 0);
    MEASURE("cast to local", cast_to_local, plain_loop, plain, 1.05);
    return 0;
}
