/*
 * The control: all threads do the same amount before every operation, and locks are not contended, so there is nothing
 * to wait for but what the system's clock ticks apart.
 */
#include <upc.h>
#include "truth.h"

static upc_lock_t *shared locks[THREADS];

int main(void)
{
    shared int *memory;
    int round;

    locks[MYTHREAD] = upc_global_lock_alloc();
    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        sleep_ms(60);
        BARRIER;
        sleep_ms(60);
        NOTIFY;
        WAIT;
        sleep_ms(60);
        memory = upc_all_alloc(THREADS, 100 * sizeof(int));
        sleep_ms(60);
        upc_lock(locks[MYTHREAD]);
        sleep_ms(2);
        upc_unlock(locks[MYTHREAD]);
        BARRIER;
        if (MYTHREAD == 0)
            upc_free(memory);
    }
    finish_barriers();
    return 0;
}
