/* PEs begin transfers, and wait for them at once or after some work. The library takes 8 ms for it. */
// threads: 4 2
// compiler: library/slow/oshcc
#include "../truth.h"

int main(void)
{
    int round;

    BEGIN;
    for (round = 0; round < ROUNDS; round++) {
        PUT_NBI((me + 1) % pes);
        if (me % 2)
            work(5);
        QUIET;
        BARRIER;
    }
    plan(COMPLETION_WAIT, ROUNDS * 8 * pes);
    FINISH;
    return 0;
}
