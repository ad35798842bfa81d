/* A thread that is not the root is late for a broadcast, and all wait because of UPC_IN_ALLSYNC. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(MYTHREAD == THREADS - 1 ? 17 : 5);
        BROADCAST(0, IN_ALL | OUT_MY);
        BARRIER;
    }
    plan(COLLECTIVE_SYNC_IN, ROUNDS * 12 * (THREADS - 1));
    FINISH;
    return 0;
}
