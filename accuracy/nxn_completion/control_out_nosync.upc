/* With UPC_OUT_NOSYNC threads leave when they have their data, which is no completion. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(MYTHREAD == 0 ? 17 : 5);
        EXCHANGE(IN_NO | OUT_NO);
        BARRIER;
    }
    plan(WAIT_AT_BARRIER, ROUNDS * 12 * (THREADS - 1));
    FINISH;
    return 0;
}
