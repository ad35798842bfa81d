/* Every PE wants the sum over all, and the last PE comes late. */
// threads: 4 2
#include "../truth.h"

int main(void)
{
    int round;

    BEGIN;
    for (round = 0; round < ROUNDS; round++) {
        work(me == pes - 1 ? 20 : 5);
        SUM_TO_ALL;
        BARRIER;
    }
    plan(WAIT_AT_NXN, ROUNDS * 15 * (pes - 1));
    FINISH;
    return 0;
}
