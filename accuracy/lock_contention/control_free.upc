/* Threads have the same lock one after the other, and never find it taken. */
// threads: 4 2 8
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    ALL_LOCK_ALLOC(0);
    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(8 * MYTHREAD);
        LOCK(0);
        work(4);
        UNLOCK(0);
        work(8 * (THREADS - 1 - MYTHREAD));
        BARRIER;
    }
    FINISH;
    return 0;
}
