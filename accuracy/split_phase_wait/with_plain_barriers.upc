/* Threads of even number split the phase, the others call a barrier in the same one. */
// threads: 4 3 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(MYTHREAD == THREADS - 1 ? 25 : 5);
        if (MYTHREAD % 2 == 0) {
            NOTIFY;
            work(8);
            WAIT;
        } else {
            BARRIER;
        }
        BARRIER;
    }
    plan(SPLIT_PHASE_WAIT, ROUNDS * 12 * ((THREADS + 1) / 2 - THREADS % 2));
    plan(WAIT_AT_BARRIER, ROUNDS * (20 * (THREADS / 2 - 1 + THREADS % 2) + (THREADS % 2 ? 8 * (THREADS - 1) : 0)));
    FINISH;
    return 0;
}
