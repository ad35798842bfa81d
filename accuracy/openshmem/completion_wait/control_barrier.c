/* Transfers are completed by a barrier. */
// threads: 4 2
// compiler: library/slow/oshcc
#include "../truth.h"

int main(void)
{
    int round;

    BEGIN;
    for (round = 0; round < ROUNDS; round++) {
        work(10);
        PUT_NBI((me + 1) % pes);
        BARRIER;
    }
    FINISH;
    return 0;
}
