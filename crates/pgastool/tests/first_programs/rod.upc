/* Heat on a rod whose elements are dealt out to the threads in turn, by loops that give each thread its own elements. */
#include <upc_relaxed.h>
#include <stdio.h>
#ifndef LAYOUT
#define LAYOUT
#endif
#define N (4096 * THREADS)
shared LAYOUT double now[N], next[N]; /* ARRAYS */

int main(void)
{
    int i;
    double sum = 0;

    upc_forall (i = 0; i < N; i++; &now[i])
        now[i] = next[i] = i == 0 ? 100 : 0;
    upc_barrier;
    for (int sweep = 0; sweep < 20; sweep++) {
        upc_forall (i = 1; i < N - 1; i++; &next[i])
            next[i] = 0.25 * now[i - 1] + 0.5 * now[i] + 0.25 * now[i + 1]; /* SWEEP */
        upc_barrier;
        upc_forall (i = 1; i < N - 1; i++; &now[i])
            now[i] = next[i];
        upc_barrier;
    }
    if (MYTHREAD == 0) {
        for (i = 0; i < N; i++)
            sum += now[i];
        printf("%g\n", sum);
    }
    return 0;
}
