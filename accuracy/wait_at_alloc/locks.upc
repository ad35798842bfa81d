/* Locks are allocated by all threads together, too. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(MYTHREAD == 0 ? 17 : 5);
        ALL_LOCK_ALLOC(round % LOCKS);
        work(5);
        BARRIER;
    }
    plan(WAIT_AT_ALLOC, ROUNDS * 12 * (THREADS - 1));
    FINISH;
    return 0;
}
