/*
 * Threads come late and are held up in the same operations: waiting on entry and completion, which must not be
 * mixed up.
 */
// threads: 4 3 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        if (MYTHREAD == round % (THREADS - 1))
            hold_up(4, 24);
        if (MYTHREAD == THREADS - 1)
            work(10);
        BARRIER;
        BARRIER;
        if (MYTHREAD == 0)
            hold_up(4, 24);
        if (MYTHREAD == THREADS - 1)
            work(10);
        EXCHANGE(IN_NO | OUT_MY);
        BARRIER;
        if (MYTHREAD == 1)
            hold_up(4, 24);
        if (MYTHREAD == THREADS - 1)
            work(10);
        BROADCAST(0, IN_NO | OUT_ALL);
        BARRIER;
    }
    plan(BARRIER_COMPLETION, ROUNDS * 14);
    plan(NXN_COMPLETION, ROUNDS * 14);
    plan(COLLECTIVE_SYNC_OUT, ROUNDS * 14);
    plan(WAIT_AT_BARRIER, ROUNDS * (10 + 3 * 14) * (THREADS - 1));
    FINISH;
    return 0;
}
