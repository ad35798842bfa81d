/* One PE is held up in a barrier until long after the last one has come. */
// threads: 4 2
#include "../truth.h"

int main(void)
{
    int round;

    BEGIN;
    for (round = 0; round < ROUNDS; round++) {
        if (me == pes - 1)
            hold_up(4, 24);
        if (me == 0)
            work(10);
        BARRIER;
        BARRIER;
    }
    plan(BARRIER_COMPLETION, ROUNDS * 14);
    FINISH;
    return 0;
}
