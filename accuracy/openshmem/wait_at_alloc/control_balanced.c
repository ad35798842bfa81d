/* All PEs come at the same time. */
// threads: 4 2
#include "../truth.h"

int main(void)
{
    int round;

    BEGIN;
    for (round = 0; round < ROUNDS; round++) {
        void *memory;

        work(15);
        ALLOCATE(memory, 1000);
        work(15);
        RELEASE(memory);
    }
    FINISH;
    return 0;
}
