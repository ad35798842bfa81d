/* Heat on a plate: rows are divided among the threads, but elements are dealt out in turn (block size 1). */
#include <upc_relaxed.h>
#include <stdio.h>
#ifndef N
#define N 128
#endif
#ifndef STEPS
#define STEPS 20
#endif
shared double a[N * N], b[N * N]; /* ARRAYS */

static void sweep(int first, int last)
{
    for (int i = first; i < last; i++)
        for (int j = 1; j < N - 1; j++)
            b[i * N + j] = 0.25 * (a[(i - 1) * N + j] + a[(i + 1) * N + j] + a[i * N + j - 1] + a[i * N + j + 1]); /* SWEEP */
}

static void copy_back(int first, int last)
{
    for (int i = first; i < last; i++)
        for (int j = 1; j < N - 1; j++)
            a[i * N + j] = b[i * N + j];
}

int main(void)
{
    int rows = (N - 2 + THREADS - 1) / THREADS;
    int first = 1 + MYTHREAD * rows, last = first + rows;
    if (last > N - 1) last = N - 1;
    upc_forall (int i = 0; i < N * N; i++; &a[i])
        a[i] = b[i] = i < N ? 1.0 : 0.0;
    upc_barrier;
    for (int s = 0; s < STEPS; s++) {
        sweep(first, last);
        upc_barrier;
        copy_back(first, last);
        upc_barrier;
    }
    if (MYTHREAD == 0) printf("%g\n", a[N + N / 2]);
    return 0;
}
