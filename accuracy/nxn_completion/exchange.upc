/* One thread is held up in an exchange when all others leave. */
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
        EXCHANGE(IN_NO | OUT_MY);
        BARRIER;
    }
    plan(NXN_COMPLETION, ROUNDS * 14);
    plan(WAIT_AT_BARRIER, ROUNDS * 14 * (THREADS - 1));
    FINISH;
    return 0;
}
