/* Threads that find the lock taken do something else in place of waiting. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    ALL_LOCK_ALLOC(0);
    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        if (MYTHREAD == 0) {
            LOCK(0);
            work(20);
            UNLOCK(0);
        } else {
            work(5);
            if (LOCK_ATTEMPT(0))
                UNLOCK(0);
            work(15);
        }
        BARRIER;
    }
    FINISH;
    return 0;
}
