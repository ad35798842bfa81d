/* Late and early roots, in operations of all kinds and modes, one after the other. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        int root = round % THREADS, late = (round + 1) % THREADS;

        work(MYTHREAD == root ? 15 : 5);
        BROADCAST(root, IN_MY | OUT_MY);
        BARRIER;
        work(MYTHREAD == root ? 5 : 15);
        GATHER(root, IN_MY | OUT_MY);
        BARRIER;
        work(MYTHREAD == root ? 15 : 5);
        REDUCE(root, IN_MY | OUT_ALL);
        BARRIER;
        work(MYTHREAD == 0 ? 15 : 5);
        PREFIX_REDUCE(IN_MY | OUT_NO);
        BARRIER;
        work(MYTHREAD == late ? 15 : 5);
        EXCHANGE(IN_MY | OUT_MY);
        BARRIER;
        work(MYTHREAD == late ? 15 : 5);
        PERMUTE(IN_ALL | OUT_MY);
        BARRIER;
        work(MYTHREAD == root ? 5 : 15);
        SCATTER(root, IN_MY | OUT_MY);
        BARRIER;
    }
    plan(LATE_BROADCAST, ROUNDS * 10 * (THREADS - 1));
    plan(EARLY_GATHER_RECEIVER, ROUNDS * 10);
    plan(EARLY_GATHER_SENDER, ROUNDS * 10 * (THREADS - 1));
    plan(EARLY_PREFIX_REDUCE, ROUNDS * 10 * (THREADS - 1));
    plan(WAIT_AT_NXN, ROUNDS * 10 * (THREADS - 1));
    plan(COLLECTIVE_SYNC_IN, ROUNDS * 10 * (THREADS - 1));
    plan(WAIT_INSIDE_COLLECTIVE, ROUNDS * 10);
    FINISH;
    return 0;
}
