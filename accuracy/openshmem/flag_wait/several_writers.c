/* One PE waits until the last of several others has added to a counter. */
// threads: 4 3
#include "../truth.h"

int main(void)
{
    int round;

    BEGIN;
    for (round = 1; round <= ROUNDS; round++) {
        if (me == 0) {
            AWAIT_FLAG(round * (pes - 1));
        } else {
            work(8 * me);
            ADD_TO_FLAG(0, 1);
        }
        BARRIER;
    }
    plan(FLAG_WAIT, ROUNDS * 8.0 * (pes - 1));
    plan(WAIT_AT_BARRIER, ROUNDS * 8.0 * (pes - 1) * (pes - 2) / 2);
    FINISH;
    return 0;
}
