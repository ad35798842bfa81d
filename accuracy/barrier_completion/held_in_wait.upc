/* One thread is held up in the second half of a split phase. */
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
        NOTIFY;
        WAIT;
        BARRIER;
    }
    plan(BARRIER_COMPLETION, ROUNDS * 14);
    plan(SPLIT_PHASE_WAIT, ROUNDS * 10 * (THREADS - 1));
    plan(WAIT_AT_BARRIER, ROUNDS * 14 * (THREADS - 1));
    FINISH;
    return 0;
}
