/* A thread is held up while it waits to begin: all others wait for it in the operation, and leave it together. */
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
        BROADCAST(THREADS - 1, IN_ALL | OUT_ALL);
        BARRIER;
    }
    plan(COLLECTIVE_SYNC_IN, ROUNDS * 10 * (THREADS - 1));
    FINISH;
    return 0;
}
