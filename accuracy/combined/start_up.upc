/* What programs do at first: allocate, distribute, agree; thread 0 reads its input meanwhile. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(MYTHREAD == 0 ? 20 : 5);
        ALL_ALLOC;
        work(MYTHREAD == 0 ? 15 : 5);
        BROADCAST(0, IN_MY | OUT_ALL);
        work(MYTHREAD == 0 ? 15 : 5);
        SCATTER(0, IN_ALL | OUT_ALL);
        ALL_LOCK_ALLOC(0);
        LOCK(0);
        work(5);
        UNLOCK(0);
        work(MYTHREAD == 0 ? 40 : 5);
        BARRIER;
    }
    plan(WAIT_AT_ALLOC, ROUNDS * 15 * (THREADS - 1));
    plan(LATE_BROADCAST, ROUNDS * 10 * (THREADS - 1));
    plan(COLLECTIVE_SYNC_IN, ROUNDS * 10 * (THREADS - 1));
    plan(LOCK_CONTENTION, ROUNDS * 5.0 * THREADS * (THREADS - 1) / 2);
    FINISH;
    return 0;
}
