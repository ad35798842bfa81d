/* The larger a thread's number, the earlier it comes, and the longer it waits. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(5 + 30.0 * (THREADS - 1 - MYTHREAD) / (THREADS - 1));
        PREFIX_REDUCE(IN_MY | OUT_NO);
        BARRIER;
    }
    plan(EARLY_PREFIX_REDUCE, ROUNDS * 30.0 * THREADS / 2);
    FINISH;
    return 0;
}
