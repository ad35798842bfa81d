/* Each round another thread is the root of a scatter, and the others come one after the other. */
// threads: 4 3 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        int root = round % THREADS, after = (MYTHREAD - root + THREADS) % THREADS;

        work(5 + 20.0 * after / (THREADS - 1));
        SCATTER(root, IN_MY | OUT_MY);
        BARRIER;
    }
    plan(WAIT_INSIDE_COLLECTIVE, ROUNDS * 20);
    plan(WAIT_AT_BARRIER, ROUNDS * 20.0 * (THREADS - 2) / 2);
    FINISH;
    return 0;
}
