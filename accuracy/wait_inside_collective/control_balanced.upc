/* All threads come at the same time. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(12);
        SCATTER(0, IN_MY | OUT_MY);
        work(12);
        REDUCE(0, IN_MY | OUT_MY);
        BARRIER;
    }
    FINISH;
    return 0;
}
