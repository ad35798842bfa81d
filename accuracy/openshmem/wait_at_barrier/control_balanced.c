/* All PEs come at the same time. */
// threads: 4 2
#include "../truth.h"

int main(void)
{
    int round;

    BEGIN;
    for (round = 0; round < ROUNDS; round++) {
        work(25);
        BARRIER;
        work(10);
        SYNC;
    }
    FINISH;
    return 0;
}
