/* Each round another PE is the root, and alone in a broadcast of much data; then the others come one after the other. */
// threads: 4 2
#include "../truth.h"

int main(void)
{
    int round;

    BEGIN;
    for (round = 0; round < ROUNDS; round++) {
        int root = round % pes;

        work(me == root ? 5 : 20 + 2 * me);
        LARGE_BROADCAST(root);
        BARRIER;
    }
    plan(WAIT_INSIDE_COLLECTIVE, ROUNDS * 15);
    FINISH;
    return 0;
}
