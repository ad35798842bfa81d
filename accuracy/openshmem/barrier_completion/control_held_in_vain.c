/* A PE is held up in the barrier, but runs again before the last one comes. */
// threads: 4 2
#include "../truth.h"

int main(void)
{
    int round;

    BEGIN;
    for (round = 0; round < ROUNDS; round++) {
        if (me == 0)
            hold_up(2, 8);
        if (me == pes - 1)
            work(15);
        BARRIER;
    }
    plan(WAIT_AT_BARRIER, ROUNDS * 15 * (pes - 1));
    FINISH;
    return 0;
}
