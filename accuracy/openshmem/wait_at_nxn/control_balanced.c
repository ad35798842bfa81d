/* All PEs come at the same time. */
// threads: 4 2
#include "../truth.h"

int main(void)
{
    int round;

    BEGIN;
    for (round = 0; round < ROUNDS; round++) {
        work(10);
        FCOLLECT;
        work(10);
        ALLTOALL;
        work(10);
        SUM_TO_ALL;
        BARRIER;
    }
    FINISH;
    return 0;
}
