// threads: 1 2 3 4 7
// Casts between layouts reset the phase where the block size changes; casts to local, to and from integers.
#include <upc.h>
#include <stdint.h>
#include <stdlib.h>
#include "check.h"

shared [4] int b[8 * THREADS];
shared int c[4 * THREADS];
shared [10] char bytes[20 * THREADS];

int main(void)
{
    int i;

    for (i = 0; i < 8 * THREADS; i++) {
        shared [4] int *p = &b[i];
        shared void *v = p;
        shared [4] int *same = v;
        shared [] int *indefinite = (shared [] int *)p;
        shared int *cyclic = (shared int *)p;
        shared [4] int *through = (shared [4] int *)(shared [] int *)p;
        shared [2] int *other = (shared [2] int *)p;

        CHECK(same == p);
        CHECK_EQUAL(upc_phaseof(same), i % 4);
        CHECK_EQUAL(upc_phaseof(indefinite), 0);
        CHECK_EQUAL(upc_phaseof(cyclic), 0);
        CHECK_EQUAL(upc_phaseof(through), 0);
        CHECK_EQUAL(upc_phaseof(other), 0);
        CHECK_EQUAL(upc_threadof(indefinite), i / 4 % THREADS);
        CHECK_EQUAL(upc_threadof(cyclic), i / 4 % THREADS);
        CHECK_EQUAL(upc_addrfield(indefinite), upc_addrfield(p));
        CHECK_EQUAL(upc_phaseof(upc_resetphase(p)), 0);
        CHECK_EQUAL(upc_threadof(upc_resetphase(p)), i / 4 % THREADS);
        if (upc_threadof(p) == MYTHREAD)
            *(int *)p = 5 * i;
    }
    upc_barrier;
    for (i = 0; i < 8 * THREADS; i++)
        CHECK_EQUAL(*(shared [] int *)&b[i], 5 * i);

    // Elements of one thread follow each other through a cast to [].
    shared [] int *theirs = (shared [] int *)&b[4 * (THREADS - 1)];
    for (i = 0; i < 8; i++)
        CHECK_EQUAL(theirs[i], 5 * (i / 4 * 4 * THREADS + 4 * (THREADS - 1) + i % 4));

    // Cast to local and pointer arithmetic there.
    int *own = (int *)&b[4 * MYTHREAD];
    CHECK_EQUAL(own[3], 5 * (4 * MYTHREAD + 3));
    CHECK((char *)&b[4 * MYTHREAD + 1] == (char *)own + sizeof(int));
    void *generic = (void *)&c[MYTHREAD];
    CHECK(generic == (int *)(c + MYTHREAD));
    long *as_long = (long *)&b[4 * MYTHREAD];
    CHECK(as_long == (long *)own);

    // Another element type at the same address.
    shared [] char *raw = (shared [] char *)&b[0];
    raw[0] = raw[0];
    CHECK_EQUAL(upc_threadof(raw + 3), 0);

    // A pointer becomes an integer that is not zero, and back.
    uintptr_t number = (uintptr_t)&c[MYTHREAD];
    CHECK(number != 0);
    CHECK_EQUAL((uintptr_t)(shared int *)NULL, 0);
    upc_barrier;
    c[MYTHREAD] = 7;
    CHECK((size_t)(int *)&c[MYTHREAD] % sizeof(int) == 0);

    // Blocks of one element and none are different types but convert by cast.
    shared [1] int *one = c;
    CHECK(one + 1 == c + 1);
    shared [10] char *p = (shared [10] char *)(shared void *)&bytes[13];
    CHECK_EQUAL(upc_phaseof(p), 3);
    CHECK(p + 7 == &bytes[20]);
    return finish();
}
