/* The members of a set come at the same time, those of the other set at another one. */
// threads: 4 6
#include "../truth.h"

int main(void)
{
    int round;

    BEGIN;
    for (round = 0; round < ROUNDS; round++) {
        work(10 + 10 * (me % 2));
        SET_SUM(me % 2, 2, pes / 2);
        work(10);
        SET_BARRIER(me % 2, 2, pes / 2);
    }
    FINISH;
    return 0;
}
