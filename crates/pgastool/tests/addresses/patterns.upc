/* Accesses to shared data in known patterns, each from a line of its own; tests/addresses.rs says what is expected. */
#include <upc.h>

#define N 10

struct cell {
    double key;
    double value;
};

shared double dealt[N * THREADS];
shared [N] double rows[N * THREADS];
shared [N] struct cell cells[N * THREADS];
shared [N] double other[N * THREADS];
shared double one;

int main(void)
{
    int next = (MYTHREAD + 1) % THREADS, after = (MYTHREAD + 2) % THREADS;
    double sum = 0, buffer[N];
    shared [] double *own;

    for (int i = 0; i < N; i++)
        sum += rows[next * N + i]; /* forwards */
    for (int i = N - 1; i >= 0; i--)
        sum += rows[next * N + i]; /* backwards */
    for (int i = 0; i < N; i++)
        cells[next * N + i].value = i; /* strided */
    for (int i = 0; i < N * THREADS; i++)
        sum += dealt[i]; /* dealt */
    sum += one; /* the same */
    upc_memget(buffer, &rows[next * N + 4], 6 * sizeof(double)); /* memget */
    upc_memput(&rows[next * N + 5], buffer, 5 * sizeof(double)); /* memput */
    upc_memset(&rows[next * N + 6], 0, 4 * sizeof(double)); /* memset */
    upc_memcpy(&other[after * N + 2], &rows[next * N + 7], 3 * sizeof(double)); /* memcpy */
    upc_barrier;
    own = upc_alloc(N * sizeof(double));
    for (int i = 0; i < N; i++)
        own[i] = i; /* own */
    upc_free(own);
    return sum < 0;
}
