// threads: 1 2 3 4
// upc_strict.h makes plain accesses strict; upc_relaxed for single objects and blocks.
#include <upc_strict.h>
#include <sched.h>
#include "check.h"

shared int value[THREADS], ready[THREADS];
relaxed shared int loose;
shared double floating;
shared struct pair {
    long a, b;
} pair;

int main(void)
{
    int left = (MYTHREAD + THREADS - 1) % THREADS;

    value[MYTHREAD] = 10 * MYTHREAD;
    ready[MYTHREAD] = 1;
    while (!ready[left])
        sched_yield();
    CHECK_EQUAL(value[left], 10 * left);
    upc_barrier;
    value[MYTHREAD] += 5;
    value[MYTHREAD]++;
    --value[MYTHREAD];
    CHECK_EQUAL(value[MYTHREAD]--, 10 * MYTHREAD + 5);
    upc_barrier;
    CHECK_EQUAL(value[left], 10 * left + 4);
    {
#pragma upc relaxed
        if (MYTHREAD == 0) {
            loose = 1;
            floating = 0.5;
            floating *= 3;
            pair.a = 1;
            pair.b = pair.a + 1;
        }
    }
    upc_barrier;
    struct pair copy = pair;
    CHECK(loose == 1 && floating == 1.5 && copy.b == 2);
    shared int *p = &value[0];
    CHECK_EQUAL(*p, 4);
    CHECK_EQUAL(p[0] > 3 ? p[0] : 0, 4);
    return finish();
}
