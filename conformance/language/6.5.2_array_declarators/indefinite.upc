// threads: 1 2 3 4 7
// Block size [] and [0]: everything on one thread; scalars live on thread 0.
#include <upc.h>
#include "check.h"

shared [] int all[100];
shared [0] double zero[7];
shared int scalar;
shared [] struct {
    int x, y;
} points[5];

int main(void)
{
    shared [] int *p;
    int i;

    for (i = 0; i < 100; i++) {
        CHECK_EQUAL(upc_threadof(&all[i]), 0);
        CHECK_EQUAL(upc_phaseof(&all[i]), 0);
    }
    CHECK_EQUAL(upc_threadof(&zero[6]), 0);
    CHECK_EQUAL(upc_threadof(&scalar), 0);
    CHECK_EQUAL(upc_threadof(&points[4].y), 0);
    if (MYTHREAD == THREADS - 1) {
        for (p = all; p < all + 100; p++)
            *p = (int)(p - all);
        scalar = 77;
        points[3].y = 5;
        points[4].x = 6;
    }
    upc_barrier;
    for (i = 0; i < 100; i++)
        CHECK_EQUAL(all[i], i);
    CHECK_EQUAL(scalar, 77);
    CHECK_EQUAL(points[3].y * 10 + points[4].x, 56);
    CHECK_EQUAL(upc_addrfield(&all[99]) - upc_addrfield(&all[0]), 99 * sizeof(int));
    return finish();
}
