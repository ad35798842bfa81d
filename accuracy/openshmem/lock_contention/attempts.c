/* One PE has the lock by an attempt, the next one waits for it, the others try in vain, which is no ownership. */
// threads: 4 3
#include "../truth.h"

int main(void)
{
    int round;

    BEGIN;
    for (round = 0; round < ROUNDS; round++) {
        int first = round % pes, second = (round + 1) % pes;

        if (me == first) {
            if (!LOCK_ATTEMPT(1)) {
                fprintf(stderr, "the lock is not free\n");
                return 1;
            }
            work(25);
            UNLOCK(1);
        } else if (me == second) {
            work(10);
            LOCK(1);
            UNLOCK(1);
        } else {
            work(15);
            if (LOCK_ATTEMPT(1))
                UNLOCK(1);
            work(10);
        }
        BARRIER;
    }
    plan(LOCK_CONTENTION, ROUNDS * 15);
    FINISH;
    return 0;
}
