/* The root of a reduction comes before the last of the others, which come one after the other. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(MYTHREAD == 0 ? 5 : 5 + 20.0 * MYTHREAD / (THREADS - 1));
        REDUCE(0, IN_MY | OUT_MY);
        BARRIER;
    }
    plan(EARLY_GATHER_RECEIVER, ROUNDS * 20);
    plan(WAIT_AT_BARRIER, ROUNDS * 20.0 * (THREADS - 2) / 2);
    FINISH;
    return 0;
}
