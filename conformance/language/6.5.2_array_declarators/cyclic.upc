// threads: 1 2 3 4 7
// Default layout: element i has affinity to thread i modulo THREADS, phase 0.
#include <upc.h>
#include "check.h"

shared int a[10 * THREADS];
shared double d[THREADS * 3], one[THREADS];
shared char bytes[THREADS][5];

int main(void)
{
    int i;

    for (i = 0; i < 10 * THREADS; i++) {
        CHECK_EQUAL(upc_threadof(&a[i]), i % THREADS);
        CHECK_EQUAL(upc_phaseof(&a[i]), 0);
        if (i % THREADS == MYTHREAD)
            a[i] = 1000 + i;
    }
    upc_barrier;
    for (i = 0; i < 10 * THREADS; i++)
        CHECK_EQUAL(a[i], 1000 + i);

    // The own elements stand side by side in local memory.
    int *own = (int *)&a[MYTHREAD];
    for (i = 0; i < 10; i++)
        CHECK_EQUAL(own[i], 1000 + i * THREADS + MYTHREAD);

    d[MYTHREAD + 2 * THREADS] = MYTHREAD + 0.5;
    one[(MYTHREAD + 1) % THREADS] = MYTHREAD;
    bytes[MYTHREAD][4] = (char)(MYTHREAD + 1);
    upc_barrier;
    for (i = 0; i < THREADS; i++) {
        CHECK(d[2 * THREADS + i] == i + 0.5);
        CHECK(one[(i + 1) % THREADS] == i);
        CHECK_EQUAL(bytes[i][4], i + 1);
        CHECK_EQUAL(upc_threadof(&bytes[i][4]), (i * 5 + 4) % THREADS);
    }
    return finish();
}
