/* The root of a reduction is late, and all leave together. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(MYTHREAD == 0 ? 17 : 5);
        REDUCE(0, IN_MY | OUT_ALL);
        BARRIER;
    }
    plan(EARLY_GATHER_SENDER, ROUNDS * 12 * (THREADS - 1));
    FINISH;
    return 0;
}
