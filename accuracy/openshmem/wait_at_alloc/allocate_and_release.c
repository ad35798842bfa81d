/* PE 0 comes late to allocations, and early to what releases them. */
// threads: 4 2
#include "../truth.h"

int main(void)
{
    int round;

    BEGIN;
    for (round = 0; round < ROUNDS; round++) {
        void *memory;

        work(me == 0 ? 20 : 5);
        ALLOCATE(memory, 100000);
        work(me == 0 ? 5 : 15);
        RELEASE(memory);
    }
    plan(WAIT_AT_ALLOC, ROUNDS * (15 * (pes - 1) + 10));
    FINISH;
    return 0;
}
