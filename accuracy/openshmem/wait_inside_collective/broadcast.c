/* The root is in a broadcast of much data long before the others, who have to fetch it. */
// threads: 4 2
#include "../truth.h"

int main(void)
{
    int round;

    BEGIN;
    for (round = 0; round < ROUNDS; round++) {
        work(me == 0 ? 5 : 20);
        LARGE_BROADCAST(0);
        BARRIER;
    }
    plan(WAIT_INSIDE_COLLECTIVE, ROUNDS * 15);
    FINISH;
    return 0;
}
