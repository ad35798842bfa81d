/* Threads come one after the other, in a different order each round. */
// threads: 4 3 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(5 + 40.0 / THREADS * ((MYTHREAD + round) % THREADS));
        BARRIER;
    }
    plan(WAIT_AT_BARRIER, ROUNDS * 40.0 * (THREADS - 1) / 2);
    FINISH;
    return 0;
}
