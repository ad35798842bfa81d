/* Each round another PE is late, for a barrier or for a synchronisation of all. */
// threads: 4 2
#include "../truth.h"

int main(void)
{
    int round;

    BEGIN;
    for (round = 0; round < ROUNDS; round++) {
        work(round % pes == me ? 17 : 5);
        BARRIER;
        work(round % pes == me ? 5 : 17);
        SYNC;
    }
    plan(WAIT_AT_BARRIER, ROUNDS * 12 * (pes - 1 + 1));
    FINISH;
    return 0;
}
