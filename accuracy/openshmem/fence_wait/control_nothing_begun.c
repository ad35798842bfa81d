/* Fences of PEs that have begun no transfer since the barrier. */
// threads: 4 2
// compiler: library/slow/oshcc
#include "../truth.h"

int main(void)
{
    int round;

    BEGIN;
    for (round = 0; round < ROUNDS; round++) {
        PUT((me + 1) % pes);
        BARRIER;
        shmem_fence();
        work(10);
    }
    FINISH;
    return 0;
}
