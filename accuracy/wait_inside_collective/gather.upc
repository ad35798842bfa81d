/* The root of a gather waits for late senders, and is then held up in it when they have left. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        if (MYTHREAD == 0)
            hold_up(4, 24);
        else
            work(10);
        GATHER(0, IN_MY | OUT_MY);
        BARRIER;
    }
    plan(WAIT_INSIDE_COLLECTIVE, ROUNDS * 14);
    plan(EARLY_GATHER_RECEIVER, ROUNDS * 10);
    plan(WAIT_AT_BARRIER, ROUNDS * 14 * (THREADS - 1));
    FINISH;
    return 0;
}
