// threads: 1 2 3 4 7
// Pointers to members of shared structures and to elements of arrays within them have layout [].
#include <upc.h>
#include "check.h"

struct cell {
    char tag;
    int values[6];
    struct {
        double x, y;
    } inner;
};
shared struct cell cells[2 * THREADS];
shared [3] struct cell blocked[3 * THREADS];

int main(void)
{
    int i, j;

    for (i = MYTHREAD; i < 2 * THREADS; i += THREADS) {
        shared struct cell *p = &cells[i];
        shared [] int *v = p->values;
        shared [] double *x = &p->inner.x;

        p->tag = 'a';
        for (j = 0; j < 6; j++)
            v[j] = 100 * i + j;
        x[0] = i;
        x[1] = -i; // y follows x
        CHECK_EQUAL(upc_threadof(v + 5), i % THREADS);
    }
    upc_barrier;
    for (i = 0; i < 2 * THREADS; i++) {
        CHECK_EQUAL(cells[i].tag, 'a');
        for (j = 0; j < 6; j++) {
            shared [] int *v = &cells[i].values[j];

            CHECK_EQUAL(*v, 100 * i + j);
            CHECK_EQUAL(v - cells[i].values, j);
            CHECK_EQUAL(*(cells[i].values + j), 100 * i + j);
            CHECK_EQUAL((&cells[i])->values[j], 100 * i + j);
            CHECK_EQUAL((*(cells + i)).values[j], 100 * i + j);
        }
        CHECK(cells[i].inner.y == -i);
        CHECK_EQUAL(upc_phaseof(&cells[i].inner.y), 0);
    }
    for (i = 0; i < 3 * THREADS; i++) {
        CHECK_EQUAL(upc_threadof(&blocked[i].inner.y), i / 3);
        CHECK_EQUAL(upc_phaseof(&blocked[i]), i % 3);
        CHECK_EQUAL(upc_addrfield(&blocked[i].values[2]) - upc_addrfield(&blocked[i]), 3 * sizeof(int));
    }
    return finish();
}
