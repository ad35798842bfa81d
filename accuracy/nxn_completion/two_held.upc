/* Two threads are held up in the same exchange, for different times. */
// threads: 4 3 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        if (MYTHREAD == 0)
            hold_up(4, 20);
        if (MYTHREAD == 1)
            hold_up(5, 30);
        if (MYTHREAD == THREADS - 1)
            work(10);
        EXCHANGE(IN_NO | OUT_MY);
        BARRIER;
    }
    plan(NXN_COMPLETION, ROUNDS * (10 + 20));
    plan(WAIT_AT_BARRIER, ROUNDS * (20 * (THREADS - 2) + 10));
    FINISH;
    return 0;
}
