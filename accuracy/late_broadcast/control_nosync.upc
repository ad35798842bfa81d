/* With UPC_IN_NOSYNC nobody waits for the late root. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(MYTHREAD == 0 ? 17 : 5);
        BROADCAST(0, IN_NO | OUT_NO);
        SCATTER(0, IN_NO | OUT_NO);
        BARRIER;
    }
    plan(WAIT_AT_BARRIER, ROUNDS * 12 * (THREADS - 1));
    FINISH;
    return 0;
}
