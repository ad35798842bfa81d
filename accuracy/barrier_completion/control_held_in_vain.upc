/* A thread is held up in the barrier, but runs again before the last one comes. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        if (MYTHREAD == 0)
            hold_up(2, 8);
        if (MYTHREAD == THREADS - 1)
            work(15);
        BARRIER;
    }
    plan(WAIT_AT_BARRIER, ROUNDS * 15 * (THREADS - 1));
    FINISH;
    return 0;
}
