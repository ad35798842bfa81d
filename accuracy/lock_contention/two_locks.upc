/* A thread has one lock while it waits for the other, and makes the third wait for the first. */
// threads: 4 3 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    ALL_LOCK_ALLOC(0);
    ALL_LOCK_ALLOC(1);
    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        if (MYTHREAD == 0) {
            LOCK(1);
            work(25);
            UNLOCK(1);
        } else if (MYTHREAD == 1) {
            work(5);
            LOCK(0);
            LOCK(1);
            UNLOCK(1);
            work(10);
            UNLOCK(0);
        } else if (MYTHREAD == 2) {
            work(10);
            LOCK(0);
            UNLOCK(0);
        }
        BARRIER;
    }
    plan(LOCK_CONTENTION, ROUNDS * (20 + 25));
    plan(WAIT_AT_BARRIER, ROUNDS * (10 + 35 * (THREADS - 3)));
    FINISH;
    return 0;
}
