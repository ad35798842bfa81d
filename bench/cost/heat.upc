/* Jacobi's iteration for heat on a rod whose elements are dealt to the threads in turn: most neighbours are remote. */
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>

#define PER_THREAD 20000

static shared double now[PER_THREAD * THREADS], next[PER_THREAD * THREADS];

int main(int argc, char **argv)
{
    int sweeps = argc > 1 ? atoi(argv[1]) : 200;
    long n = (long)PER_THREAD * THREADS, i;
    double sum = 0;

    upc_forall (i = 0; i < n; i++; &now[i])
        now[i] = next[i] = i == 0 ? 100 : 0;
    upc_barrier;
    for (int k = 0; k < sweeps; k++) {
        upc_forall (i = 1; i < n - 1; i++; &now[i])
            next[i] = 0.25 * now[i - 1] + 0.5 * now[i] + 0.25 * now[i + 1];
        upc_barrier;
        upc_forall (i = 1; i < n - 1; i++; &now[i])
            now[i] = next[i];
        upc_barrier;
    }
    if (MYTHREAD == 0) {
        for (i = 0; i < n; i++)
            sum += now[i];
        printf("heat %.6f\n", sum);
    }
    return 0;
}
