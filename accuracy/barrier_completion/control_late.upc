/* One thread is late for the barrier, and all leave it together. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(MYTHREAD == round % THREADS ? 17 : 5);
        BARRIER;
    }
    plan(WAIT_AT_BARRIER, ROUNDS * 12 * (THREADS - 1));
    FINISH;
    return 0;
}
