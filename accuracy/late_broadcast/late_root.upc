/* The root of a broadcast comes late, and all others wait for its data. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(MYTHREAD == 0 ? 17 : 5);
        BROADCAST(0, IN_MY | OUT_MY);
        BARRIER;
    }
    plan(LATE_BROADCAST, ROUNDS * 12 * (THREADS - 1));
    FINISH;
    return 0;
}
