// threads: 1 2 3 4
// Declared sizes exceed 32 bits; only what is touched takes memory.
#include <upc.h>
#include "check.h"

#define GIB (1L << 30)
shared [] char on_zero[6 * GIB];
shared [GIB] double blocks[THREADS * GIB];
struct block {
    char data[4 << 20];
};
shared struct block large_elements[100 * THREADS];

int main(void)
{
    long i = 5 * GIB + 12345;

    if (MYTHREAD == THREADS - 1) {
        on_zero[i] = 42;
        on_zero[6 * GIB - 1] = 43;
    }
    blocks[MYTHREAD * GIB + GIB - 1] = MYTHREAD + 0.25;
    large_elements[99L * THREADS + MYTHREAD].data[4194303] = (char)(MYTHREAD + 1);
    upc_barrier;
    CHECK_EQUAL(on_zero[i], 42);
    CHECK_EQUAL(on_zero[6 * GIB - 1], 43);
    for (i = 0; i < THREADS; i++) {
        CHECK(blocks[i * GIB + GIB - 1] == i + 0.25);
        CHECK_EQUAL(upc_threadof(&blocks[i * GIB + GIB - 1]), i);
        CHECK_EQUAL(upc_phaseof(&blocks[i * GIB + GIB - 1]), GIB - 1);
        CHECK_EQUAL(large_elements[99 * THREADS + i].data[4194303], i + 1);
    }
    shared [GIB] double *first = &blocks[0], *end = &blocks[THREADS * GIB - 1];
    CHECK_EQUAL(end - first, THREADS * GIB - 1);
    CHECK(first + (THREADS * GIB - 1) == end);
    CHECK(end - (THREADS * GIB - 1) == first);
    return finish();
}
