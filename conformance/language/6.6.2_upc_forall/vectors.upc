// threads: 1 2 3 4 7
// Loops that a compiler can make fast must stay right: several arrays, offsets, strides, bounds at odd places.
#include <upc_relaxed.h>
#include "check.h"

#define N 64
shared double x[N * THREADS], y[N * THREADS], z[N * THREADS];
shared [N] double bx[N * THREADS], by[N * THREADS];
shared [8] float fx[N * THREADS], fy[N * THREADS];
shared [*] long sx[N * THREADS];
shared [N] int m[4 * THREADS][N];
shared double sum[THREADS];

int main(void)
{
    int i, j, n = N * THREADS;
    double a = 2.0;

    upc_forall (i = 0; i < n; i++; &x[i]) {
        x[i] = i;
        y[i] = 1;
    }
    upc_forall (i = 0; i < n; i++; &x[i])
        z[i] = a * x[i] + y[i];
    upc_barrier;
    for (i = 0; i < n; i++)
        CHECK(z[i] == 2 * i + 1);
    upc_barrier;

    // Neighbours have other affinity.
    upc_forall (i = 1; i < n - 1; i++; &y[i])
        y[i] = x[i - 1] + x[i + 1];
    upc_barrier;
    CHECK(y[0] == 1 && y[n - 1] == 1);
    for (i = 1; i < n - 1; i++)
        CHECK(y[i] == 2 * i);

    upc_forall (i = 0; i < n; i++; &bx[i])
        bx[i] = by[i] = i;
    upc_barrier;
    upc_forall (i = 3; i < n - 5; i++; &bx[i])
        bx[i] += by[i] * 3;
    upc_barrier;
    for (i = 0; i < n; i++)
        CHECK(bx[i] == (i >= 3 && i < n - 5 ? 4 * i : i));
    upc_forall (i = 0; i < n - 7; i++; &fx[i + 7]) {
        fx[i + 7] = (float)i;
        fy[i] = (float)i + 1;
    }
    upc_barrier;
    for (i = 0; i < n - 7; i++)
        CHECK(fx[i + 7] == i && fy[i] == i + 1);
    upc_forall (i = n; i > 0; i--; &sx[i - 1])
        sx[i - 1] = i;
    upc_forall (i = 1; i <= n; i += 5; &sx[i - 1])
        sx[i - 1] *= 2;
    upc_barrier;
    for (i = 0; i < n; i++)
        CHECK_EQUAL(sx[i], (i + 1) * (i % 5 == 0 ? 2 : 1));
    upc_forall (i = 0; i < 4 * THREADS; i++; &m[i][0])
        for (j = 0; j < N; j++)
            m[i][j] = i * N + j;
    upc_barrier;
    for (i = 0; i < 4 * THREADS; i++)
        for (j = 0; j < N; j++)
            CHECK_EQUAL(m[i][j], i * N + j);

    // A reduction, by own elements.
    double own = 0;
    upc_forall (i = 0; i < n; i++; &x[i])
        own += x[i] * x[i];
    sum[MYTHREAD] = own;
    upc_barrier;
    own = 0;
    for (i = 0; i < THREADS; i++)
        own += sum[i];
    CHECK(own == (double)(n - 1) * n * (2.0 * n - 1) / 6);
    // No iteration at all, and bounds that are the wrong way round.
    upc_forall (i = 5; i < 5; i++; &x[i])
        CHECK(0);
    CHECK_EQUAL(i, 5);
    upc_forall (i = 9; i < 5; i++; &bx[i])
        CHECK(0);
    CHECK_EQUAL(i, 9);
    // Unsigned and 64-bit variables.
    unsigned long k;
    upc_forall (k = 0; k < (unsigned long)n; k++; &x[k])
        x[k] = (double)k / 2;
    CHECK(k == (unsigned long)n);
    upc_barrier;
    CHECK(x[n - 1] == (n - 1) / 2.0);
    return finish();
}
