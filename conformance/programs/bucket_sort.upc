// threads: 1 2 3 4 7
// Sorting by buckets: a shared histogram, offsets by thread 0, puts of single elements to their places.
#include <upc.h>
#include <stdlib.h>
#include "check.h"
#define PER 64
#define BUCKETS 16
shared [PER] unsigned keys[PER * THREADS], sorted[PER * THREADS];
shared [BUCKETS] int counts[THREADS][BUCKETS];
shared [BUCKETS] int offsets[THREADS][BUCKETS];
shared int errors;
upc_lock_t *lock;

int main(void)
{
    int i, b, t, *mine = (int *)&counts[MYTHREAD][0], sum = 0;
    unsigned seed = 17 + MYTHREAD;
    shared [PER] unsigned *k = &keys[PER * MYTHREAD];
    unsigned *own = (unsigned *)k;
    lock = upc_all_lock_alloc();
    for (i = 0; i < PER; i++) {
        seed = seed * 1664525u + 1013904223u;
        k[i] = seed >> 24;
    }
    for (b = 0; b < BUCKETS; b++)
        mine[b] = 0;
    for (i = 0; i < PER; i++)
        mine[own[i] / (256 / BUCKETS)]++;
    upc_barrier;
    if (MYTHREAD == 0)
        for (b = 0; b < BUCKETS; b++)
            for (t = 0; t < THREADS; t++) {
                offsets[t][b] = sum;
                sum += counts[t][b];
            }
    upc_barrier;
    for (i = 0; i < PER; i++)
        sorted[offsets[MYTHREAD][own[i] / (256 / BUCKETS)]++] = own[i];
    upc_barrier;
    upc_forall (i = 0; i < PER * THREADS; i++; &sorted[i])
        if (i && sorted[i] / 16 < sorted[i - 1] / 16) {
            upc_lock(lock);
            errors++;
            upc_unlock(lock);
        }
    upc_barrier;
    CHECK_EQUAL(errors, 0);
    unsigned x = 0;
    for (i = 0; i < PER * THREADS; i++)
        x += keys[i] * keys[i] - sorted[i] * sorted[i];
    CHECK_EQUAL(x, 0);
    return finish();
}
