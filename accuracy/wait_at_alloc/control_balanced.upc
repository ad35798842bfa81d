/* All threads come at the same time. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(25);
        ALL_ALLOC;
        BARRIER;
    }
    FINISH;
    return 0;
}
