// threads: 1 2 3 4 7
// warns: 'break' out of a upc_forall
// upc_forall without affinity, nested, with parts left out, with continue and break, with declarations.
#include <upc.h>
#include "check.h"

shared int a[6 * THREADS];
shared int counts[THREADS];

static int iterations_within(int n)
{
    int i, count = 0;

    upc_forall (i = 0; i < n; i++; i)
        count++;
    return count;
}

int main(void)
{
    int i, j, count;

    // With `continue` or nothing, every thread runs every iteration.
    count = 0;
    upc_forall (i = 0; i < 10; i++; continue)
        count++;
    CHECK_EQUAL(count, 10);
    count = 0;
    upc_forall (i = 0; i < 10; i++;)
        count++;
    CHECK_EQUAL(count, 10);

    // The other three may be missing too.
    count = 0;
    i = 0;
    upc_forall (; i < 10;; continue) {
        i++;
        count++;
    }
    CHECK_EQUAL(count, 10);
    count = 0;
    upc_forall (i = 0;; i++; continue) {
        if (i == 7)
            break;
        count++;
    }
    CHECK_EQUAL(count, 7);

    // An upc_forall within another one, also through a call, runs everything that it is given.
    count = 0;
    upc_forall (i = 0; i < 2 * THREADS; i++; i)
        upc_forall (j = 0; j < 5; j++; j)
            count++;
    CHECK_EQUAL(count, 2 * 5);
    count = 0;
    upc_forall (i = 0; i < THREADS; i++; &a[i]) {
        CHECK_EQUAL(iterations_within(6 * THREADS), 6 * THREADS);
        count++;
    }
    CHECK_EQUAL(count, 1);
    CHECK_EQUAL(iterations_within(6 * THREADS), 6);
    // The outermost one that has an affinity controls: one with `continue` around it changes nothing.
    count = 0;
    upc_forall (i = 0; i < 3; i++; continue)
        upc_forall (j = 0; j < 2 * THREADS; j++; j)
            upc_forall (int k = 0; k < 5; k++; &a[k])
                count++;
    CHECK_EQUAL(count, 3 * 2 * 5);
    CHECK_EQUAL(iterations_within(THREADS), 1);

    // continue goes on with the next iteration.
    count = 0;
    upc_forall (i = 0; i < 6 * THREADS; i++; i) {
        if (i / THREADS % 2)
            continue;
        count++;
    }
    CHECK_EQUAL(count, 3);
    CHECK_EQUAL(i, 6 * THREADS);
    CHECK_EQUAL(iterations_within(THREADS), 1);

    // Two variables, the comma operator, variables of the header.
    upc_forall (i = 0, j = 6 * THREADS - 1; i < j; i++, j--; &a[i]) {
        a[i] = i;
        a[j] = -i;
    }
    CHECK_EQUAL(i + j, 6 * THREADS - 1);
    upc_barrier;
    for (i = 0; i < 3 * THREADS; i++)
        CHECK(a[i] == i && a[6 * THREADS - 1 - i] == -i);
    upc_forall (int k = 0, n = THREADS; k < n; k++; k)
        counts[k] = k + 100;
    upc_barrier;
    for (i = 0; i < THREADS; i++)
        CHECK_EQUAL(counts[i], i + 100);
    upc_barrier;

    // A body without braces, an empty one, one in an if.
    upc_forall (i = 0; i < 5; i++; i)
        ;
    CHECK_EQUAL(i, 5);
    if (MYTHREAD >= 0)
        upc_forall (i = 0; i < THREADS; i++; i)
            counts[i]++;
    else
        CHECK(0);
    upc_barrier;
    CHECK_EQUAL(counts[MYTHREAD], MYTHREAD + 101);

    // The body may change the bound and the variable.
    int n = 20;
    count = 0;
    upc_forall (i = 0; i < n; i++; continue) {
        if (i == 4)
            n = 10;
        if (i == 6)
            i++;
        count++;
    }
    CHECK(count == 9 && i == 10);
    return finish();
}
