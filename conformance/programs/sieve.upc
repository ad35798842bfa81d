// threads: 1 2 3 4 7
// Prime numbers below a bound by a distributed sieve; counting with a tree of partial sums.
#include <upc.h>
#include <stdlib.h>
#include "check.h"

#define LIMIT (1000 * THREADS)
shared char composite[1000 * THREADS];
shared int partial[THREADS];

int main(int argc, char **argv)
{
    int i, j, count = 0, stride, expected = 0;

    for (i = 2; i * i < LIMIT; i++)
        upc_forall (j = i * i; j < LIMIT; j += i; &composite[j])
            composite[j] = 1;
    upc_barrier;
    upc_forall (i = 2; i < LIMIT; i++; &composite[i])
        if (!composite[i])
            count++;
    partial[MYTHREAD] = count;
    upc_barrier;
    for (stride = 1; stride < THREADS; stride *= 2) {
        if (MYTHREAD % (2 * stride) == 0 && MYTHREAD + stride < THREADS)
            partial[MYTHREAD] += partial[MYTHREAD + stride];
        upc_barrier;
    }
    for (i = 2; i < LIMIT; i++) {
        for (j = 2; j * j <= i && i % j; j++)
            ;
        expected += j * j > i;
    }
    CHECK_EQUAL(partial[0], expected);
    return finish();
}
