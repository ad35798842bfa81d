// threads: 2 3 4 7
// unchecked: it does nothing wrong, but the checks change how far threads can be ahead
// Threads are together in collective allocations and releases, as programs for other compilers expect: none is a call ahead.
// A counter under a lock that is allocated in each round loses nothing.
#include <upc_relaxed.h>
#include "check.h"

#define ROUNDS 300

strict shared int round_of[THREADS];
shared int counter, plain[THREADS];

static void all_are_at(int round)
{
    for (int t = 0; t < THREADS; t++)
        CHECK(round_of[t] >= round);
}

int main(void)
{
    upc_lock_t *lock;
    shared int *memory;

    for (int i = 1; i <= ROUNDS; i++) {
        round_of[MYTHREAD] = 4 * i;
        lock = upc_all_lock_alloc();
        all_are_at(4 * i);
        upc_lock(lock);
        counter++;
        upc_unlock(lock);
        round_of[MYTHREAD] = 4 * i + 1;
        upc_all_lock_free(lock);
        all_are_at(4 * i + 1);
        CHECK(counter >= i * THREADS);
        round_of[MYTHREAD] = 4 * i + 2;
        memory = upc_all_alloc(THREADS, sizeof(int));
        all_are_at(4 * i + 2);
        memory[MYTHREAD] = i;
        round_of[MYTHREAD] = 4 * i + 3;
        upc_all_free(memory);
        all_are_at(4 * i + 3);
    }
    upc_barrier;
    CHECK_EQUAL(counter, ROUNDS * THREADS);
    /* In split phase nothing collective belongs; threads are not kept together then, and nothing hangs. */
    upc_notify;
    memory = upc_all_alloc(THREADS, sizeof(int));
    upc_wait;
    upc_all_free(memory);
    return finish();
}
