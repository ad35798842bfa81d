/* One PE is held up in a collection when others leave. */
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
        FCOLLECT;
        BARRIER;
    }
    plan(NXN_COMPLETION, ROUNDS * 14);
    FINISH;
    return 0;
}
