/* All PEs want a lock within a short time, and each waits for the one before it. */
// threads: 4 2
#include "../truth.h"

int main(void)
{
    int round;

    BEGIN;
    for (round = 0; round < ROUNDS; round++) {
        work(2 * me);
        LOCK(0);
        work(12);
        UNLOCK(0);
        BARRIER;
    }
    plan(LOCK_CONTENTION, ROUNDS * 10.0 * pes * (pes - 1) / 2);
    plan(WAIT_AT_BARRIER, ROUNDS * 12.0 * pes * (pes - 1) / 2);
    FINISH;
    return 0;
}
