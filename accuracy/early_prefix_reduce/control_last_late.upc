/* Nobody needs what the last thread contributes. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(MYTHREAD == THREADS - 1 ? 17 : 5);
        PREFIX_REDUCE(IN_MY | OUT_NO);
        BARRIER;
    }
    FINISH;
    return 0;
}
