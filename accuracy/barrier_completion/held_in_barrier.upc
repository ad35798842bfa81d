/* One thread is held up in a barrier until long after the last one has come. */
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
        BARRIER;
        BARRIER;
    }
    plan(BARRIER_COMPLETION, ROUNDS * 14);
    plan(WAIT_AT_BARRIER, ROUNDS * (10 + 14) * (THREADS - 1));
    FINISH;
    return 0;
}
