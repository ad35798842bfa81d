/* All PEs but the first one are a set, in which they wait for the root of a broadcast, which is not the last to come. */
// threads: 4 5
#include "../truth.h"

int main(void)
{
    int round;

    BEGIN;
    for (round = 0; round < ROUNDS; round++) {
        int root = 1 + round % (pes - 1), last = 1 + (round + 1) % (pes - 1);

        work(me == root ? 17 : me == last ? 25 : 5);
        if (me > 0)
            SET_BROADCAST(1, 1, pes - 1, root - 1);
        BARRIER;
    }
    plan(GROUP_WAIT, ROUNDS * 12 * (pes - 3));
    FINISH;
    return 0;
}
