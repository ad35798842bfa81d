/* The root of a gather is late, and senders may not leave before. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(MYTHREAD == 0 ? 20 : 5);
        GATHER(0, IN_MY | OUT_ALL);
        BARRIER;
    }
    plan(EARLY_GATHER_SENDER, ROUNDS * 15 * (THREADS - 1));
    FINISH;
    return 0;
}
