// threads: 2
// Pointers into different objects are neither subtracted nor ordered.
#include <upc.h>
#include <stdio.h>
#include <stdlib.h>

shared int a[4 * THREADS], b[4 * THREADS]; /* fault 1: of the shared object a */
shared [3] int blocked[6 * THREADS];

int main(int argc, char **argv)
{
    int fault = argc > 1 ? atoi(argv[1]) : 0;
    shared int *p = a, *q = b, *end = a + 4 * THREADS, *null = NULL;
    shared [3] int *from = blocked, *to = blocked + 6 * THREADS;
    shared [] int *x = upc_alloc(40), *y = upc_alloc(40);

    if (end - p != 4 * THREADS || to - from != 6 * THREADS || p >= end || p == q || x == y)
        return 2;
    upc_barrier;
    if (fault == 1)
        return p - q > 5; /* fault 1: pointers into different objects are compared or subtracted */
    if (fault == 2)
        return x < y; /* fault 2: pointers into different objects */
    if (fault == 3)
        return (int)(x - y); /* fault 3: pointers into different objects */
    if (fault == 4)
        return end - null > 3; /* fault 4: the other is a null pointer */
    upc_barrier;
    if (MYTHREAD == 0)
        printf("OK\n");
    return 0;
}
