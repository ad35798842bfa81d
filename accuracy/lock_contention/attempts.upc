/* One thread has the lock by an attempt, the next one waits for it, the others try in vain, which is no ownership. */
// threads: 4 3 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    ALL_LOCK_ALLOC(0);
    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        int first = round % THREADS, second = (round + 1) % THREADS;
        
        if (MYTHREAD == first) {
            if (!LOCK_ATTEMPT(0)) {
                fprintf(stderr, "the lock is not free\n");
                return 1;
            }
            work(25);
            UNLOCK(0);
        } else if (MYTHREAD == second) {
            work(10);
            LOCK(0);
            UNLOCK(0);
        } else {
            work(15);
            if (LOCK_ATTEMPT(0))
                UNLOCK(0);
            work(10);
        }
        BARRIER;
    }
    plan(LOCK_CONTENTION, ROUNDS * 15);
    FINISH;
    return 0;
}
