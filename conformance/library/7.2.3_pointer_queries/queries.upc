// threads: 1 2 3 4 7
// upc_threadof, upc_phaseof, upc_addrfield, upc_resetphase on what pointers can point to.
#include <upc.h>
#include "check.h"

shared [4] long a[8 * THREADS];
shared int c[2 * THREADS];

int main(void)
{
    int i;

    for (i = 0; i < 8 * THREADS; i++) {
        shared [4] long *p = a + i;
        shared void *v = p;

        CHECK_EQUAL(upc_threadof(v), i / 4 % THREADS);
        CHECK_EQUAL(upc_phaseof(v), i % 4);
        CHECK_EQUAL(upc_addrfield(p) - upc_addrfield(a), (i / (4 * THREADS) * 4 + i % 4) * sizeof(long));
    }
    CHECK_EQUAL(upc_phaseof(upc_resetphase(&a[3])), 0);
    CHECK_EQUAL(upc_addrfield(upc_resetphase(&a[3])), upc_addrfield(&a[3]));
    CHECK_EQUAL(upc_addrfield(&c[0]), upc_addrfield(&c[THREADS - 1]));
    CHECK_EQUAL(upc_threadof(&c[MYTHREAD]), MYTHREAD);
    CHECK(sizeof(upc_threadof(c)) == sizeof(size_t));
    return finish();
}
