/* Threads come in the order of their numbers. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(5 + 30.0 * MYTHREAD / (THREADS - 1));
        PREFIX_REDUCE(IN_MY | OUT_NO);
        BARRIER;
    }
    FINISH;
    return 0;
}
