/* Each thread hides another part of the same lateness. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(MYTHREAD == THREADS - 1 ? 30 : 5);
        NOTIFY;
        work(MYTHREAD == THREADS - 1 ? 0 : 15.0 * MYTHREAD / THREADS);
        WAIT;
    }
    plan(SPLIT_PHASE_WAIT, ROUNDS * (25.0 * (THREADS - 1) - 15.0 * (THREADS - 1) * (THREADS - 2) / 2 / THREADS));
    FINISH;
    return 0;
}
