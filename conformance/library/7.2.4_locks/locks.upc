// threads: 1 2 3 4 7
// Locks: mutual exclusion, attempts, arrays of locks, in structures, freed.
#include <upc.h>
#include <stdlib.h>
#include "check.h"

#define ROUNDS 300
shared long counter, attempts_done;
upc_lock_t *lock;
upc_lock_t *shared published;
shared struct account {
    upc_lock_t *lock;
    long balance;
} accounts[2 * THREADS];
upc_lock_t *shared locks[THREADS];

int main(void)
{
    int i;

    lock = upc_all_lock_alloc();
    CHECK(lock != NULL);
    if (MYTHREAD == 0)
        published = upc_global_lock_alloc();
    for (i = MYTHREAD; i < 2 * THREADS; i += THREADS) {
        accounts[i].lock = upc_global_lock_alloc();
        accounts[i].balance = 1000;
    }
    locks[MYTHREAD] = upc_global_lock_alloc();
    upc_barrier;

    for (i = 0; i < ROUNDS; i++) {
        upc_lock(lock);
        counter = counter + 1;
        upc_unlock(lock);
    }
    for (i = 0; i < 20;) {
        if (upc_lock_attempt(published)) {
            attempts_done++;
            upc_unlock(published);
            i++;
        }
    }
    for (i = 0; i < ROUNDS; i++) {
        int from = (i * 7 + MYTHREAD) % (2 * THREADS), to = (from + 1 + i) % (2 * THREADS);
        int first = from < to ? from : to, second = from < to ? to : from;

        if (first == second)
            continue;
        upc_lock(accounts[first].lock);
        upc_lock(accounts[second].lock);
        accounts[from].balance -= i;
        accounts[to].balance += i;
        upc_unlock(accounts[second].lock);
        upc_unlock(accounts[first].lock);
    }
    upc_barrier;
    CHECK_EQUAL(counter, (long)ROUNDS * THREADS);
    CHECK_EQUAL(attempts_done, 20L * THREADS);
    long sum = 0;
    for (i = 0; i < 2 * THREADS; i++)
        sum += accounts[i].balance;
    CHECK_EQUAL(sum, 2000L * THREADS);

    // A lock that another thread holds cannot be had.
    upc_barrier;
    if (MYTHREAD == 0)
        upc_lock(lock);
    upc_barrier;
    if (MYTHREAD != 0)
        CHECK_EQUAL(upc_lock_attempt(lock), 0);
    upc_barrier;
    if (MYTHREAD == 0)
        upc_unlock(lock);
    upc_lock(locks[(MYTHREAD + 1) % THREADS]);
    upc_unlock(locks[(MYTHREAD + 1) % THREADS]);
    upc_barrier;
    upc_lock_free(locks[MYTHREAD]);
    upc_lock_free(NULL);
    if (MYTHREAD == THREADS - 1) {
        upc_lock(published);
        upc_lock_free(published); // of a lock that is held
        upc_lock_free(lock);
    }
    upc_barrier;
    return finish();
}
