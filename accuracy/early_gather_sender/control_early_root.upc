/* The root is there before all senders. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(MYTHREAD == 0 ? 5 : 17);
        GATHER(0, IN_MY | OUT_MY);
        BARRIER;
    }
    plan(EARLY_GATHER_RECEIVER, ROUNDS * 12);
    FINISH;
    return 0;
}
