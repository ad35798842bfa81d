/* All threads need what thread 0 contributes, and it is late. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(MYTHREAD == 0 ? 17 : 5);
        PREFIX_REDUCE(IN_MY | OUT_NO);
        BARRIER;
    }
    plan(EARLY_PREFIX_REDUCE, ROUNDS * 12 * (THREADS - 1));
    FINISH;
    return 0;
}
