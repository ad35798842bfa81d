/* Each PE waits for data of the one before it, which a signal announces; each round another PE is late. */
// threads: 4 2
// compiler: library/1.5/oshcc
#include "../library/1.5/truth.h"

int main(void)
{
    int round;

    BEGIN;
    ALLOCATE_SIGNALS;
    for (round = 1; round <= ROUNDS; round++) {
        work(me == round % pes ? 20 : 5);
        PUT_SIGNAL((me + 1) % pes, round);
        AWAIT_SIGNAL(round);
        BARRIER;
    }
    plan(SIGNAL_WAIT, ROUNDS * 15);
    plan(WAIT_AT_BARRIER, ROUNDS * 15 * (pes - 2));
    FINISH;
    return 0;
}
