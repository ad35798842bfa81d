/* Each thread works on its own part of an array: through pointers-to-shared, and through a pointer to private. Lines are
   found by their comments. */
#include <upc.h>

#define N 20000

shared [N] double a[N * THREADS];

void through_shared(void) {
    for (int i = 0; i < N; i++)
        a[MYTHREAD * N + i] = i; /* SHARED */
}

void through_private(void) {
    double *mine = (double *)&a[MYTHREAD * N];
    for (int i = 0; i < N; i++)
        mine[i] += i; /* PRIVATE */
}

int main(void) {
    through_shared();
    upc_barrier;
    through_private();
    upc_barrier;
    return 0;
}
