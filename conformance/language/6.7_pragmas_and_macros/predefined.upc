// threads: 1 2 3 4
// Predefined macros, MYTHREAD and THREADS, UPC_MAX_BLOCK_SIZE.
#include <upc.h>
#include "check.h"

#ifndef __UPC__
#error __UPC__
#endif
#if __UPC_VERSION__ < 200505L
#error __UPC_VERSION__
#endif
#if defined(__UPC_STATIC_THREADS__) == defined(__UPC_DYNAMIC_THREADS__)
#error exactly one of them
#endif
#ifdef __UPC_STATIC_THREADS__
static int constant[THREADS];
#if THREADS < 1
#error THREADS
#endif
#endif
#if !defined(__UPC_COLLECTIVE__) || !defined(UPC_MAX_BLOCK_SIZE)
#error library macros
#endif
#if __UPC_IO__ != 1 && defined(__UPC_IO__)
#error __UPC_IO__ is 1 in UPC 1.3 (7.4); 2 promises UPC_ASYNC
#endif
#if UPC_MAX_BLOCK_SIZE < 65535
#error UPC_MAX_BLOCK_SIZE
#endif

shared int seen[THREADS];

int main(int argc, char *argv[])
{
    int i;
    const int me = MYTHREAD;

    CHECK(THREADS >= 1 && MYTHREAD >= 0 && MYTHREAD < THREADS);
    CHECK_EQUAL(sizeof(THREADS), sizeof(int));
    CHECK_EQUAL(sizeof(MYTHREAD), sizeof(int));
    CHECK((MYTHREAD - THREADS) < 0);
    seen[me]++;
    upc_barrier;
    for (i = 0; i < THREADS; i++)
        CHECK_EQUAL(seen[i], 1);
    CHECK(argc == 1 && argv[1] == NULL);
    switch (MYTHREAD) {
    case 0:
        CHECK_EQUAL(me, 0);
        break;
    default:
        CHECK(me > 0);
    }
    return finish();
}
