/* Transpose by elements: both matrices in blocks of rows. */
#include <upc_relaxed.h>
#include <stdio.h>
#define N 128
#define ROWS (N / THREADS)
shared [N * N / THREADS] double a[N * N], b[N * N];

static void transpose(void)
{
    for (int i = MYTHREAD * ROWS; i < (MYTHREAD + 1) * ROWS; i++)
        for (int j = 0; j < N; j++)
            b[i * N + j] = a[j * N + i]; /* ELEMENT */
}

int main(void)
{
    for (int i = MYTHREAD * ROWS; i < (MYTHREAD + 1) * ROWS; i++)
        for (int j = 0; j < N; j++)
            a[i * N + j] = i * N + j;
    upc_barrier;
    for (int s = 0; s < 8; s++) {
        transpose();
        upc_barrier;
    }
    if (MYTHREAD == 0) printf("%g\n", b[1]);
    return 0;
}
