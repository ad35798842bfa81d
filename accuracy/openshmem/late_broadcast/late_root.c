/* The root of a broadcast comes late, and all others wait for its data. */
// threads: 4 2
#include "../truth.h"

int main(void)
{
    int round;

    BEGIN;
    for (round = 0; round < ROUNDS; round++) {
        work(me == 0 ? 17 : 5);
        BROADCAST(0);
        BARRIER;
    }
    plan(LATE_BROADCAST, ROUNDS * 12 * (pes - 1));
    FINISH;
    return 0;
}
