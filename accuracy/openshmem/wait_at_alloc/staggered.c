/* PEs come one after the other to an allocation, in a different order each round. */
// threads: 4 2
#include "../truth.h"

int main(void)
{
    int round;

    BEGIN;
    for (round = 0; round < ROUNDS; round++) {
        void *memory;

        work(5 + 40.0 / pes * ((me + round) % pes));
        ALLOCATE(memory, 1000);
        (void)memory;
    }
    plan(WAIT_AT_ALLOC, ROUNDS * 40.0 * (pes - 1) / 2);
    FINISH;
    return 0;
}
