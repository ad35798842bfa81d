// threads: 1 2 3 4 7
// Block size [*]: one block a thread.
#include <upc.h>
#include "check.h"

shared [*] int a[6 * THREADS];
shared [*] int b[THREADS];
shared [*] double m[THREADS][4];
shared [*] char n[3][THREADS];

int main(void)
{
    int i;

    for (i = 0; i < 6 * THREADS; i++) {
        CHECK_EQUAL(upc_threadof(&a[i]), i / 6);
        CHECK_EQUAL(upc_phaseof(&a[i]), i % 6);
    }
    for (i = 0; i < THREADS; i++) {
        CHECK_EQUAL(upc_threadof(&b[i]), i);
        CHECK_EQUAL(upc_threadof(&m[i][0]), i);
        CHECK_EQUAL(upc_threadof(&m[i][3]), i);
        CHECK_EQUAL(upc_phaseof(&m[i][3]), 3);
    }
    for (i = 0; i < 3 * THREADS; i++)
        CHECK_EQUAL(upc_threadof(&n[i / THREADS][i % THREADS]), i / 3);
    CHECK_EQUAL(upc_blocksizeof(a), 6);
    CHECK_EQUAL(upc_blocksizeof(m), 4);
    for (i = 0; i < 6; i++)
        a[6 * MYTHREAD + i] = 6 * MYTHREAD + i;
    upc_barrier;
    for (i = 0; i < 6 * THREADS; i++)
        CHECK_EQUAL(a[i], i);
    return finish();
}
