/* Histogram: every increment is made under a lock of the bin. */
#include <upc_relaxed.h>
#include <stdio.h>
#define BINS 64
#define PER 10000
shared int bin[BINS];
upc_lock_t *shared lock[BINS];

static void count(unsigned s)
{
    for (int i = 0; i < PER; i++) {
        s = s * 1103515245u + 12345u;
        int k = (s >> 16) % BINS;
        upc_lock(lock[k]);
        bin[k] += 1; /* INCREMENT */
        upc_unlock(lock[k]);
    }
}

int main(void)
{
    upc_forall (int i = 0; i < BINS; i++; i) lock[i] = upc_global_lock_alloc();
    upc_barrier;
    count(MYTHREAD + 1);
    upc_barrier;
    if (MYTHREAD == 0) printf("%d\n", bin[0]);
    return 0;
}
