/* All threads come at the same time. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(12);
        BROADCAST(0, IN_ALL | OUT_MY);
        work(12);
        REDUCE(0, IN_ALL | OUT_MY);
        BARRIER;
    }
    FINISH;
    return 0;
}
