/* Collective operations follow each other with no barrier between, so that what one delays shows in the next. */
// threads: 4 2 8
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(MYTHREAD == THREADS - 1 ? 15 : 5);
        EXCHANGE(IN_MY | OUT_MY);
        work(MYTHREAD == 0 ? 15 : 5);
        BROADCAST(0, IN_MY | OUT_ALL);
        work(MYTHREAD == 0 ? 5 : 15);
        REDUCE(0, IN_MY | OUT_ALL);
        work(MYTHREAD == round % THREADS ? 15 : 5);
        GATHER_ALL(IN_ALL | OUT_ALL);
    }
    plan(WAIT_AT_NXN, ROUNDS * 10 * (THREADS - 1));
    plan(LATE_BROADCAST, ROUNDS * 10 * (THREADS - 1));
    plan(EARLY_GATHER_RECEIVER, ROUNDS * 10);
    plan(COLLECTIVE_SYNC_IN, ROUNDS * 10 * (THREADS - 1));
    FINISH;
    return 0;
}
