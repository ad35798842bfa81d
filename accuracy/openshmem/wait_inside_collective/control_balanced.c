/* All PEs come at the same time. */
// threads: 4 2
#include "../truth.h"

int main(void)
{
    int round;

    BEGIN;
    for (round = 0; round < ROUNDS; round++) {
        work(12);
        BROADCAST(0);
        BARRIER;
    }
    FINISH;
    return 0;
}
