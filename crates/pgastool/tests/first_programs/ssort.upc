/* Sample sort: each thread puts its keys one by one into the bucket of the thread that sorts them. */
#include <upc_relaxed.h>
#include <stdio.h>
#include <stdlib.h>
#define PER 20000
shared [2 * PER] int bucket[2 * PER * THREADS];
shared int count[THREADS * THREADS]; /* count[to * THREADS + from] */
int key[PER];

static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void distribute(void)
{
    int mine[THREADS], at[THREADS];
    for (int t = 0; t < THREADS; t++) mine[t] = 0;
    for (int i = 0; i < PER; i++) mine[key[i] % THREADS]++;
    for (int t = 0; t < THREADS; t++) count[t * THREADS + MYTHREAD] = mine[t];
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        at[t] = 0;
        for (int f = 0; f < MYTHREAD; f++) at[t] += count[t * THREADS + f];
    }
    for (int i = 0; i < PER; i++) {
        int t = key[i] % THREADS;
        bucket[t * 2 * PER + at[t]++] = key[i]; /* PUT */
    }
    upc_barrier;
}

int main(void)
{
    unsigned s = 1 + MYTHREAD;
    for (int i = 0; i < PER; i++) { s = s * 1103515245u + 12345u; key[i] = (s >> 8) & 0xfffff; }
    upc_barrier;
    distribute();
    int n = 0;
    for (int f = 0; f < THREADS; f++) n += count[MYTHREAD * THREADS + f];
    qsort((int *)&bucket[MYTHREAD * 2 * PER], n, sizeof(int), by_value);
    upc_barrier;
    if (MYTHREAD == 0) printf("%d %d\n", n, (int)bucket[0]);
    return 0;
}
