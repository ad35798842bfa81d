/* Each round another thread is the root, and all others but one are there before it. */
// threads: 4 3 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        int root = round % THREADS, late = (round + 1) % THREADS;

        work(MYTHREAD == late ? 25 : MYTHREAD == root ? 10 : 8);
        GATHER(root, IN_MY | OUT_ALL);
        BARRIER;
    }
    plan(EARLY_GATHER_RECEIVER, ROUNDS * 15);
    plan(EARLY_GATHER_SENDER, ROUNDS * 2 * (THREADS - 2));
    FINISH;
    return 0;
}
