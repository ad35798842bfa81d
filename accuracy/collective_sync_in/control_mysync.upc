/* With UPC_IN_MYSYNC nobody waits for a late thread that has nothing they need. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(MYTHREAD == THREADS - 1 ? 17 : 5);
        BROADCAST(0, IN_MY | OUT_NO);
        BARRIER;
    }
    plan(WAIT_AT_BARRIER, ROUNDS * 12 * (THREADS - 1));
    FINISH;
    return 0;
}
