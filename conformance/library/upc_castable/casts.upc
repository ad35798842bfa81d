// threads: 1 2 3 4 7
// upc_cast gives pointers to the memory of every thread of this node, of every kind of allocation, and none to others.
#include <upc.h>
#include <upc_castable.h>
#include "check.h"

#ifndef __UPC_CASTABLE__
#error "__UPC_CASTABLE__ is not defined"
#endif

shared int data[THREADS];
shared int *shared own[THREADS];

int main(void)
{
    shared int *all = upc_all_alloc(THREADS, sizeof(int)), *one;
    int t, kinds = UPC_CASTABLE_ALL_ALLOC | UPC_CASTABLE_GLOBAL_ALLOC | UPC_CASTABLE_ALLOC | UPC_CASTABLE_STATIC;

    CHECK_EQUAL(kinds, UPC_CASTABLE_ALL);
    own[MYTHREAD] = upc_alloc(sizeof(int));
    data[MYTHREAD] = 10 + MYTHREAD;
    all[MYTHREAD] = 20 + MYTHREAD;
    one = own[MYTHREAD];
    *one = 30 + MYTHREAD;
    upc_barrier;
    CHECK(upc_cast(NULL) == NULL);
    for (t = 0; t < THREADS; t++) {
        upc_thread_info_t info = upc_thread_info(t);

        CHECK((info.guaranteedCastable & ~info.probablyCastable) == 0);
        if (info.guaranteedCastable == 0) {
            CHECK(t != MYTHREAD);
            CHECK(upc_cast(&data[t]) == NULL && upc_cast(&all[t]) == NULL && upc_cast(own[t]) == NULL);
            continue;
        }
        CHECK_EQUAL(info.guaranteedCastable, UPC_CASTABLE_ALL);
        CHECK_EQUAL(*(int *)upc_cast(&data[t]), 10 + t);
        CHECK_EQUAL(*(int *)upc_cast(&all[t]), 20 + t);
        CHECK_EQUAL(*(int *)upc_cast(own[t]), 30 + t);
    }
    CHECK(upc_cast(&data[MYTHREAD]) == (int *)&data[MYTHREAD]);
    upc_barrier;
    int next = (MYTHREAD + 1) % THREADS;
    if (upc_cast(&data[next]) != NULL)
        *(int *)upc_cast(&data[next]) = 50 + MYTHREAD;
    else
        data[next] = 50 + MYTHREAD;
    upc_barrier;
    CHECK_EQUAL(data[MYTHREAD], 50 + (MYTHREAD + THREADS - 1) % THREADS);
    return finish();
}
