/* Each round another thread is held up in a gather when all others leave. */
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
        GATHER(THREADS - 1, IN_NO | OUT_ALL);
        BARRIER;
    }
    plan(COLLECTIVE_SYNC_OUT, ROUNDS * 14);
    plan(WAIT_AT_BARRIER, ROUNDS * 14 * (THREADS - 1));
    FINISH;
    return 0;
}
