// threads: 1 2 3 4 7
// sizeof and its relatives, on types and expressions.
#include <upc.h>
#include "check.h"

struct pair {
    int a;
    double b;
};
shared int cyclic[3 * THREADS];
shared [4] double blocked[16 * THREADS];
shared [] char on_zero[100];
shared [*] short even[10 * THREADS];
shared [3] struct pair pairs[6 * THREADS];
shared [5] int grid[2 * THREADS][5];
shared int scalar;
typedef shared [7] long seven_t;

int main(void)
{
    shared [4] double *p = blocked;

    CHECK_EQUAL(sizeof(scalar), 4);
    CHECK_EQUAL(sizeof(cyclic), 12 * THREADS);
    CHECK_EQUAL(sizeof(cyclic) / sizeof(cyclic[0]), 3 * THREADS);
    CHECK_EQUAL(sizeof blocked, 128 * THREADS);
    CHECK_EQUAL(sizeof(shared int), 4);
    CHECK_EQUAL(sizeof(*p), 8);
    CHECK_EQUAL(sizeof(on_zero), 100);
    CHECK_EQUAL(sizeof(grid[0]), 20);
    CHECK(sizeof(p) == sizeof(shared void *) && sizeof(p) == sizeof(shared [] char *));

    CHECK_EQUAL(upc_blocksizeof(cyclic), 1);
    CHECK_EQUAL(upc_blocksizeof(blocked), 4);
    CHECK_EQUAL(upc_blocksizeof(on_zero), 0);
    CHECK_EQUAL(upc_blocksizeof(even), 10);
    CHECK_EQUAL(upc_blocksizeof(*p), 4);
    CHECK_EQUAL(upc_blocksizeof(seven_t), 7);
    CHECK_EQUAL(upc_blocksizeof(shared [9] int), 9);
    CHECK_EQUAL(upc_blocksizeof(grid), 5);

    CHECK_EQUAL(upc_elemsizeof(cyclic), 4);
    CHECK_EQUAL(upc_elemsizeof(blocked), 8);
    CHECK_EQUAL(upc_elemsizeof(pairs), 16);
    CHECK_EQUAL(upc_elemsizeof(grid), 4);
    CHECK_EQUAL(upc_elemsizeof(shared [9] short), 2);
    CHECK_EQUAL(upc_elemsizeof(scalar), 4);

    CHECK_EQUAL(upc_localsizeof(cyclic), 12);
    CHECK_EQUAL(upc_localsizeof(blocked), 128);
    CHECK_EQUAL(upc_localsizeof(even), 20);
    CHECK_EQUAL(upc_localsizeof(pairs), 96);
    CHECK_EQUAL(upc_localsizeof(grid), 40);

    CHECK_EQUAL(upc_affinitysize(128 * THREADS, 32, MYTHREAD), 128);
    CHECK_EQUAL(upc_affinitysize(50, 50, 0), 50);
    size_t sum = 0;
    for (int i = 0; i < THREADS; i++)
        sum += upc_affinitysize(1001, 7, i);
    CHECK_EQUAL(sum, 1001);
    return finish();
}
