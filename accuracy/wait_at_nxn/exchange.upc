/* Each round another thread is late for an exchange. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(MYTHREAD == round % THREADS ? 17 : 5);
        EXCHANGE(IN_MY | OUT_MY);
        BARRIER;
    }
    plan(WAIT_AT_NXN, ROUNDS * 12 * (THREADS - 1));
    FINISH;
    return 0;
}
