// threads: 1 2 3 4 7
// Blocks of constant size go to threads in turns; the local part of a thread is contiguous.
#include <upc.h>
#include "check.h"

enum { WIDTH = 4 };
#define EXPRESSION (2 * 3 - 1)

shared [3] int three[3 * 4 * THREADS];
shared [WIDTH] short of_enum[WIDTH * 3 * THREADS];
shared [EXPRESSION] long of_expression[EXPRESSION * 2 * THREADS];
shared [sizeof(double)] char of_sizeof[8 * 2 * THREADS];
shared [7] int partly[10 * THREADS]; // the last block of it is not full for most numbers of threads
shared [1] int ones[5 * THREADS];
shared [100] char beyond[THREADS]; // less than a block

int main(void)
{
    int i;

    for (i = 0; i < 12 * THREADS; i++) {
        CHECK_EQUAL(upc_threadof(&three[i]), i / 3 % THREADS);
        CHECK_EQUAL(upc_phaseof(&three[i]), i % 3);
        three[i] = -i; // all threads write the same value
    }
    for (i = 0; i < 12 * THREADS; i++) {
        CHECK_EQUAL(upc_threadof(&of_enum[i]), i / WIDTH % THREADS);
        CHECK_EQUAL(upc_phaseof(&of_enum[i]), i % WIDTH);
    }
    for (i = 0; i < 10 * THREADS; i++) {
        CHECK_EQUAL(upc_threadof(&of_expression[i]), i / 5 % THREADS);
        CHECK_EQUAL(upc_phaseof(&of_expression[i]), i % 5);
        CHECK_EQUAL(upc_threadof(&partly[i]), i / 7 % THREADS);
        if (upc_threadof(&partly[i]) == MYTHREAD)
            partly[i] = i * i;
    }
    for (i = 0; i < 16 * THREADS; i++)
        CHECK_EQUAL(upc_threadof(&of_sizeof[i]), i / 8 % THREADS);
    for (i = 0; i < 5 * THREADS; i++)
        CHECK_EQUAL(upc_threadof(&ones[i]), i % THREADS);
    for (i = 0; i < THREADS; i++)
        CHECK_EQUAL(upc_threadof(&beyond[i]), 0);
    upc_barrier;

    int *own = (int *)&three[3 * MYTHREAD];
    for (i = 0; i < 12; i++)
        CHECK_EQUAL(own[i], -(i / 3 * 3 * THREADS + MYTHREAD * 3 + i % 3));
    for (i = 0; i < 10 * THREADS; i++)
        CHECK_EQUAL(partly[i], i * i);
    return finish();
}
