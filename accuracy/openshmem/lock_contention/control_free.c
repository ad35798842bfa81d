/* PEs have the same lock one after the other, and never find it taken. */
// threads: 4 2
#include "../truth.h"

int main(void)
{
    int round;

    BEGIN;
    for (round = 0; round < ROUNDS; round++) {
        work(8 * me);
        LOCK(0);
        work(4);
        UNLOCK(0);
        work(8 * (pes - 1 - me));
        BARRIER;
    }
    FINISH;
    return 0;
}
