/* PEs come one after the other, in a different order each round. */
// threads: 4 2
#include "../truth.h"

int main(void)
{
    int round;

    BEGIN;
    for (round = 0; round < ROUNDS; round++) {
        work(5 + 40.0 / pes * ((me + round) % pes));
        BARRIER;
    }
    plan(WAIT_AT_BARRIER, ROUNDS * 40.0 * (pes - 1) / 2);
    FINISH;
    return 0;
}
