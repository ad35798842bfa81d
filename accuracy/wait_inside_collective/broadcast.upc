/* The root of a broadcast may not leave before all others have fetched its data, and they come late. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(MYTHREAD == 0 ? 5 : 20);
        BROADCAST(0, IN_MY | OUT_MY);
        BARRIER;
    }
    plan(WAIT_INSIDE_COLLECTIVE, ROUNDS * 15);
    FINISH;
    return 0;
}
