/* A chain of threads at a lock, then a split phase that hides a part of it, then a plain barrier. */
// threads: 4 2 8
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    ALL_LOCK_ALLOC(0);
    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        LOCK(0);
        work(10);
        UNLOCK(0);
        NOTIFY;
        work(5);
        WAIT;
        work(MYTHREAD == 0 ? 15 : 5);
        BARRIER;
    }
    plan(LOCK_CONTENTION, ROUNDS * 10.0 * THREADS * (THREADS - 1) / 2);
    plan(SPLIT_PHASE_WAIT, ROUNDS * (10.0 * THREADS * (THREADS - 1) / 2 - 5.0 * (THREADS - 1)));
    plan(WAIT_AT_BARRIER, ROUNDS * (10 * (THREADS - 2) + 5));
    FINISH;
    return 0;
}
