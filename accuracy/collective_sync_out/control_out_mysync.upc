/* A thread is held up, but no mode asks to leave together. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        if (MYTHREAD == THREADS > 2 ? 1 : 0)
            hold_up(4, 24);
        if (MYTHREAD == THREADS - 1)
            work(10);
        BROADCAST(THREADS - 1, IN_MY | OUT_NO);
        BARRIER;
    }
    plan(LATE_BROADCAST, ROUNDS * 10 * (THREADS - 1));
    plan(WAIT_AT_BARRIER, ROUNDS * 14 * (THREADS - 1));
    FINISH;
    return 0;
}
