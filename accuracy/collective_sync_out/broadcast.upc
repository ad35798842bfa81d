/* One thread is held up in a broadcast with UPC_OUT_ALLSYNC when all others leave. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        if (MYTHREAD == 0)
            hold_up(4, 24);
        if (MYTHREAD == THREADS - 1)
            work(10);
        BROADCAST(0, IN_NO | OUT_ALL);
        BARRIER;
    }
    plan(COLLECTIVE_SYNC_OUT, ROUNDS * 14);
    plan(WAIT_AT_BARRIER, ROUNDS * 14 * (THREADS - 1));
    FINISH;
    return 0;
}
