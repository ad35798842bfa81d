/* One PE is late for the exchange, and all leave it together. */
// threads: 4 2
#include "../truth.h"

int main(void)
{
    int round;

    BEGIN;
    for (round = 0; round < ROUNDS; round++) {
        work(me == 0 ? 17 : 5);
        ALLTOALL;
        BARRIER;
    }
    plan(WAIT_AT_NXN, ROUNDS * 12 * (pes - 1));
    FINISH;
    return 0;
}
