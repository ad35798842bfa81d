/* Each round another thread is the root, and late. */
// threads: 4 3 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        int root = round % THREADS;

        work(MYTHREAD == root ? 17 : 5);
        BROADCAST(root, IN_MY | OUT_NO);
        BARRIER;
    }
    plan(LATE_BROADCAST, ROUNDS * 12 * (THREADS - 1));
    FINISH;
    return 0;
}
