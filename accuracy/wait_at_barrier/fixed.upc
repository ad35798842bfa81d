/* Always the last thread is late for the barrier. */
// threads: 4 2 8 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(MYTHREAD == THREADS - 1 ? 20 : 5);
        BARRIER;
    }
    plan(WAIT_AT_BARRIER, ROUNDS * 15 * (THREADS - 1));
    FINISH;
    return 0;
}
