/* Only threads with a larger number wait for the late one. */
// threads: 4 3 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(MYTHREAD == THREADS / 2 ? 20 : 5);
        PREFIX_REDUCE(IN_MY | OUT_NO);
        BARRIER;
    }
    plan(EARLY_PREFIX_REDUCE, ROUNDS * 15 * (THREADS - 1 - THREADS / 2));
    FINISH;
    return 0;
}
