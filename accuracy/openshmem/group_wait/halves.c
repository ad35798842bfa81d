/* PEs with even numbers are a set, and those with odd numbers: one of each is late, for a sum or a barrier. */
// threads: 4 6
#include "../truth.h"

int main(void)
{
    int round, size;

    BEGIN;
    size = pes / 2;
    for (round = 0; round < ROUNDS; round++) {
        work(me / 2 == round % size ? 17 : 5);
        SET_SUM(me % 2, 2, size);
        work(me / 2 == 0 ? 20 : 5 + 2 * (me % 2));
        SET_BARRIER(me % 2, 2, size);
    }
    plan(GROUP_WAIT, ROUNDS * (12 + 14) * 2 * (size - 1));
    FINISH;
    return 0;
}
