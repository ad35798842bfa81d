// threads: 1 3
// flags: -std=gnu89
// UPC in C90: restrict is a name, and loops over own elements need no declaration in their head.
#include <upc.h>
#include "check.h"

shared int a[4 * THREADS];
shared [3] double b[6 * THREADS];
shared int table[THREADS] = {1};

int main()
{
    int i, restrict = 2;
    upc_forall (i = 0; i < 4 * THREADS; i++; &a[i])
        a[i] = i;
    upc_forall (i = 0; i < 6 * THREADS; i++; &b[i])
        b[i] = restrict * i;
    upc_barrier;
    for (i = 0; i < 4 * THREADS; i++)
        CHECK_EQUAL(a[i], i);
    for (i = 0; i < 6 * THREADS; i++)
        CHECK_EQUAL(b[i], 2 * i);
    CHECK_EQUAL(table[0], 1);
    return finish();
}
