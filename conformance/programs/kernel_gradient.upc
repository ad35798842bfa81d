// threads: 1 2 3 4 7
// The manner of CG: vectors in shared arrays of structures with an array inside, one structure a thread; macros that
// cast them to local; sums that every thread reads element by element from a member of the others' structures.
#include <upc_relaxed.h>
#include "check.h"

#define ROWS 12 /* of each thread */
#define N (ROWS * THREADS)
#define STEPS 60

typedef struct {
    double arr[ROWS + 2];
} part_t;
struct reduce_s {
    double v[2];
    int rounds;
};

shared part_t p_sh[THREADS];
shared part_t q_sh[THREADS];
shared struct reduce_s reduce_sh[THREADS];
#define p (((part_t *)&p_sh[MYTHREAD])->arr)
#define q ((double *)&q_sh[MYTHREAD].arr[0])

static double sum_of(double value, int slot)
{
    double sum = 0;
    int thread;

    reduce_sh[MYTHREAD].v[slot] = value;
    reduce_sh[MYTHREAD].rounds++;
    upc_barrier;
    for (thread = 0; thread < THREADS; thread++)
        sum += reduce_sh[thread].v[slot];
    upc_barrier;
    return sum;
}

/* q = A p for a tridiagonal matrix; the neighbours' border elements are single gets. */
static void multiply(void)
{
    double left = 0, right = 0;
    int i;

    if (MYTHREAD > 0)
        left = p_sh[MYTHREAD - 1].arr[ROWS - 1];
    if (MYTHREAD < THREADS - 1)
        upc_memget(&right, &p_sh[MYTHREAD + 1].arr[0], sizeof right);
    for (i = 0; i < ROWS; i++)
        q[i] = 3 * p[i] - (i > 0 ? p[i - 1] : left) - (i < ROWS - 1 ? p[i + 1] : right);
    upc_barrier;
}

int main(void)
{
    double x[ROWS], r[ROWS], rho, before, alpha, own, worst = 0;
    int i, step;

    for (i = 0; i < ROWS; i++) {
        x[i] = 0;
        r[i] = p[i] = (MYTHREAD * ROWS + i) % 5 + 1;
    }
    own = 0;
    for (i = 0; i < ROWS; i++)
        own += r[i] * r[i];
    rho = sum_of(own, 0);
    for (step = 0; step < STEPS && rho > 1e-24; step++) {
        multiply();
        own = 0;
        for (i = 0; i < ROWS; i++)
            own += p[i] * q[i];
        alpha = rho / sum_of(own, 1);
        own = 0;
        for (i = 0; i < ROWS; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
            own += r[i] * r[i];
        }
        before = rho;
        rho = sum_of(own, 0);
        for (i = 0; i < ROWS; i++)
            p[i] = r[i] + rho / before * p[i];
        upc_barrier;
    }
    for (i = 0; i < ROWS; i++)
        p[i] = x[i];
    upc_barrier;
    multiply();
    for (i = 0; i < ROWS; i++) {
        double error = q[i] - ((MYTHREAD * ROWS + i) % 5 + 1);

        if (error * error > worst)
            worst = error * error;
    }
    CHECK(worst < 1e-16);
    CHECK(step > 2);
    CHECK_EQUAL(reduce_sh[(MYTHREAD + 1) % THREADS].rounds, 1 + 2 * step);
    return finish();
}
