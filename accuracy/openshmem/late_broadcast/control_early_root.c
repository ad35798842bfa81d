/* The root comes first: the data is there when the others come. */
// threads: 4 2
#include "../truth.h"

int main(void)
{
    int round;

    BEGIN;
    for (round = 0; round < ROUNDS; round++) {
        work(me == 0 ? 5 : 17);
        BROADCAST(0);
        BARRIER;
    }
    FINISH;
    return 0;
}
