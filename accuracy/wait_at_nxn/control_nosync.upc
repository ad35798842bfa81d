/* With UPC_IN_NOSYNC and UPC_OUT_NOSYNC nobody waits for the late thread. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(MYTHREAD == round % THREADS ? 17 : 5);
        EXCHANGE(IN_NO | OUT_NO);
        GATHER_ALL(IN_NO | OUT_NO);
        BARRIER;
    }
    plan(WAIT_AT_BARRIER, ROUNDS * 12 * (THREADS - 1));
    FINISH;
    return 0;
}
