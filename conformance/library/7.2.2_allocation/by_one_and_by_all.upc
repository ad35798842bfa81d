// threads: 1 2 3 4 7
// The old upc_local_alloc, and freeing by all threads together: memory and locks.
#include <upc.h>
#include "check.h"

shared int *shared mine[THREADS];

int main(void)
{
    shared int *all, *own;
    upc_lock_t *lock;
    int round, i;

    own = (shared int *)upc_local_alloc(10, sizeof(int));
    CHECK_EQUAL(upc_threadof(own), MYTHREAD);
    CHECK_EQUAL(upc_phaseof(own), 0);
    CHECK(upc_local_alloc(0, 8) == NULL && upc_local_alloc(8, 0) == NULL);
    for (i = 0; i < 10; i++)
        ((int *)own)[i] = 10 * MYTHREAD + i;
    mine[MYTHREAD] = own;
    upc_barrier;
    own = mine[(MYTHREAD + 1) % THREADS];
    for (i = 0; i < 10; i++)
        CHECK_EQUAL(((shared [] int *)own)[i], (MYTHREAD + 1) % THREADS * 10 + i);
    upc_barrier;
    upc_free(own);

    // Freed by all, memory and locks can be had again and again.
    for (round = 0; round < 20; round++) {
        all = upc_all_alloc(THREADS, 1000 * sizeof(int));
        lock = upc_all_lock_alloc();
        all[MYTHREAD] = 0;
        upc_barrier;
        upc_lock(lock);
        all[0] += 1;
        upc_unlock(lock);
        upc_barrier;
        CHECK_EQUAL(all[0], THREADS);
        upc_barrier;
        upc_all_free(all);
        upc_all_lock_free(lock);
    }
    upc_all_lock_free(NULL);
    return finish();
}
