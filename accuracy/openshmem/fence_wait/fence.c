/* A fence after each put of some PEs, and after several of the others. The library takes 8 ms for it. */
// threads: 4 2
// compiler: library/slow/oshcc
#include "../truth.h"

int main(void)
{
    int round;

    BEGIN;
    for (round = 0; round < ROUNDS; round++) {
        PUT((me + 1) % pes);
        if (me % 2)
            FENCE;
        PUT((me + 1) % pes);
        FENCE;
        BARRIER;
    }
    plan(FENCE_WAIT, ROUNDS * 8 * (pes + pes / 2));
    FINISH;
    return 0;
}
