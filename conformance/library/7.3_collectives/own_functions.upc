// threads: 1 2 3 4
// A program may define functions with the names of collectives itself.
#include <upc.h>
#include "check.h"

shared int source[THREADS], result;
static int calls;

int upc_all_reduceI(shared void *to, shared void *from, int n)
{
    int i, sum = 0;

    calls++;
    upc_barrier;
    for (i = 0; i < n; i++)
        sum += ((shared int *)from)[i];
    if (MYTHREAD == 0)
        *(shared int *)to = sum;
    upc_barrier;
    return sum;
}

int main(void)
{
    source[MYTHREAD] = MYTHREAD + 1;
    CHECK_EQUAL(upc_all_reduceI(&result, source, THREADS), THREADS * (THREADS + 1) / 2);
    CHECK_EQUAL(result, THREADS * (THREADS + 1) / 2);
    CHECK_EQUAL(calls, 1);
    return finish();
}
