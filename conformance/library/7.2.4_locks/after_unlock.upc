// threads: 1 2 3 4
// After upc_unlock and a barrier the lock is free, whatever else is on its way to the lock's owner; likewise a semaphore's
// value has been raised.
#include <unistd.h>
#include <bupc_sem.h>
#include <upc_nb.h>
#include <upc_relaxed.h>
#include "check.h"

#define N 2000000

static shared [N] char data[N * THREADS];
static char values[N];
static shared bupc_sem_t *shared semaphore;

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    int round;

    if (MYTHREAD == 0)
        semaphore = bupc_sem_alloc(BUPC_SEM_INTEGER);
    for (round = 0; round < 5; round++) {
        upc_handle_t put = UPC_COMPLETE_HANDLE;
        if (MYTHREAD == THREADS - 1)
            upc_lock(lock);
        upc_barrier;
        if (MYTHREAD == THREADS - 1) {
            put = upc_memput_nb(data, values, N);
            usleep(10000);
            upc_unlock(lock);
            bupc_sem_post(semaphore);
        }
        upc_barrier;
        if (MYTHREAD == 0) {
            int taken = upc_lock_attempt(lock);
            CHECK(taken);
            if (taken)
                upc_unlock(lock);
            CHECK(bupc_sem_try(semaphore));
        }
        upc_sync(put);
        upc_barrier;
    }
    return finish();
}
