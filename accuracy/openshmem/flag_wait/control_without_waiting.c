/* Flags are set long before anybody looks at them. */
// threads: 4 2
#include "../truth.h"

int main(void)
{
    int round;

    BEGIN;
    for (round = 1; round <= ROUNDS; round++) {
        work(5);
        SET_FLAG((me + 1) % pes, round);
        work(20);
        AWAIT_FLAG(round);
        POLL_FLAG(round);
        BARRIER;
    }
    FINISH;
    return 0;
}
