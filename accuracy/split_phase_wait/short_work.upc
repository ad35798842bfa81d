/* The work between notify and wait is too short to hide that one thread is late. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(round % THREADS == MYTHREAD ? 25 : 5);
        NOTIFY;
        work(8);
        WAIT;
        BARRIER;
    }
    plan(SPLIT_PHASE_WAIT, ROUNDS * 12 * (THREADS - 1));
    plan(WAIT_AT_BARRIER, ROUNDS * 8 * (THREADS - 1));
    FINISH;
    return 0;
}
