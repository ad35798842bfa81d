// threads: 1 2 3 4
// warns: implicit declaration of function
// A function that is called before its definition, without a declaration, with null constants for pointers-to-shared.
#include <upc.h>
#include "check.h"

shared int data[4 * THREADS];

static int depth;

int main()
{
    int i;

    for (i = 0; i < 2; i++)
        CHECK_EQUAL(nulls(NULL, 1, 0, (void *)0, 7), 8);
    CHECK_EQUAL(nulls(&data[1], data[0], NULL, data, 7), 107);
    CHECK_EQUAL(old(0, NULL), 2);
    upc_forall (i = 0; i < THREADS; i++; &data[i])
        data[i] = old(NULL, data);
    upc_barrier;
    CHECK_EQUAL(data[THREADS - 1], 1);
    return finish();
}

int nulls(shared int *p, int n, shared [] char *q, shared void *v, int last)
{
    if (depth++ == 0)
        CHECK_EQUAL(nulls(0, 1, NULL, NULL, 1), 2);
    return (p ? 100 : 0) + (q ? 1000 : 0) + (v == NULL ? n : 0) + last;
}

int old(p, q)
    shared int *p, *q;
{
    return (p == NULL) + !q;
}
