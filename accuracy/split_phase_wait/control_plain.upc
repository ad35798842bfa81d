/* The late thread is waited for in plain barriers alone. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(round % THREADS == MYTHREAD ? 17 : 5);
        BARRIER;
        NOTIFY;
        work(10);
        WAIT;
    }
    plan(WAIT_AT_BARRIER, ROUNDS * 12 * (THREADS - 1));
    FINISH;
    return 0;
}
