/* The root of a gather is there before those whose data it collects. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(MYTHREAD == 0 ? 5 : 20);
        GATHER(0, IN_MY | OUT_MY);
        BARRIER;
    }
    plan(EARLY_GATHER_RECEIVER, ROUNDS * 15);
    FINISH;
    return 0;
}
