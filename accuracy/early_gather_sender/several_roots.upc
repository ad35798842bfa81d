/* Each round another thread is the root, and comes after all but one. */
// threads: 4 3 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        int root = round % THREADS, late = (round + 1) % THREADS;

        work(MYTHREAD == root ? 20 : MYTHREAD == late ? 30 : 5);
        GATHER(root, IN_MY | OUT_MY);
        BARRIER;
    }
    plan(EARLY_GATHER_SENDER, ROUNDS * 15 * (THREADS - 2));
    plan(EARLY_GATHER_RECEIVER, ROUNDS * 10);
    plan(WAIT_AT_BARRIER, ROUNDS * 10 * (THREADS - 2));
    FINISH;
    return 0;
}
