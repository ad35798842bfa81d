/* Two threads are held up in the same barrier, for different times. */
// threads: 4 3 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        if (MYTHREAD == round % (THREADS - 1))
            hold_up(4, 20);
        if (MYTHREAD == (round + 1) % (THREADS - 1))
            hold_up(5, 30);
        if (MYTHREAD == THREADS - 1)
            work(10);
        BARRIER;
        BARRIER;
    }
    plan(BARRIER_COMPLETION, ROUNDS * (10 + 20));
    plan(WAIT_AT_BARRIER, ROUNDS * (10 * (THREADS - 1) + 20 * (THREADS - 2) + 10));
    FINISH;
    return 0;
}
