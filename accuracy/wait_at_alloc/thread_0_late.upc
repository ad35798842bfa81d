/* Thread 0, which does the work of the allocation, comes last. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(MYTHREAD == 0 ? 20 : 5);
        ALL_ALLOC;
        BARRIER;
    }
    plan(WAIT_AT_ALLOC, ROUNDS * 15 * (THREADS - 1));
    FINISH;
    return 0;
}
