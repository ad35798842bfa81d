/* Each round another thread is late for a reduction and a prefix reduction. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(MYTHREAD == round % THREADS ? 17 : 5);
        REDUCE(0, IN_ALL | OUT_NO);
        BARRIER;
        work(MYTHREAD == round % THREADS ? 15 : 5);
        PREFIX_REDUCE(IN_ALL | OUT_NO);
        BARRIER;
    }
    plan(COLLECTIVE_SYNC_IN, ROUNDS * (12 + 10) * (THREADS - 1));
    FINISH;
    return 0;
}
