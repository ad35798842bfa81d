/* Each round another PE is the root, and comes after some of the others and before the last. */
// threads: 4 3
#include "../truth.h"

int main(void)
{
    int round;

    BEGIN;
    for (round = 0; round < ROUNDS; round++) {
        int root = (round + 1) % pes, last = (round + 2) % pes;

        work(me == root ? 17 : me == last ? 25 : 5);
        BROADCAST(root);
        BARRIER;
    }
    plan(LATE_BROADCAST, ROUNDS * 12 * (pes - 2));
    FINISH;
    return 0;
}
