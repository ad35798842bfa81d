/* The last thread is late for a gather_all. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(MYTHREAD == THREADS - 1 ? 20 : 5);
        GATHER_ALL(IN_MY | OUT_NO);
        BARRIER;
    }
    plan(WAIT_AT_NXN, ROUNDS * 15 * (THREADS - 1));
    FINISH;
    return 0;
}
