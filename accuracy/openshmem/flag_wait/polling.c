/* Pairs of PEs take turns by two flags, which they test in a loop. */
// threads: 4 2
#include "../truth.h"

int main(void)
{
    int partner, is_first, round;

    BEGIN;
    partner = me ^ 1;
    is_first = me % 2 == 0;
    for (round = 1; round <= ROUNDS && partner < pes; round++) {
        if (!is_first)
            POLL_FLAG(round);
        work(is_first ? 10 : 15);
        SET_FLAG(partner, round);
        if (is_first)
            POLL_FLAG(round);
    }
    plan(FLAG_WAIT, ROUNDS * 25.0 * (pes / 2));
    FINISH;
    return 0;
}
