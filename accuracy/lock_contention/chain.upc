/* All threads want a lock within a short time, and each waits for the one before it. */
// threads: 4 2 10
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    ALL_LOCK_ALLOC(0);
    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(2 * MYTHREAD);
        LOCK(0);
        work(12);
        UNLOCK(0);
        BARRIER;
    }
    plan(LOCK_CONTENTION, ROUNDS * 10.0 * THREADS * (THREADS - 1) / 2);
    plan(WAIT_AT_BARRIER, ROUNDS * 12.0 * THREADS * (THREADS - 1) / 2);
    FINISH;
    return 0;
}
