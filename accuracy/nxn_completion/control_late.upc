/* One thread is late for the exchange, and all leave it together. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(MYTHREAD == 0 ? 17 : 5);
        EXCHANGE(IN_MY | OUT_MY);
        BARRIER;
    }
    plan(WAIT_AT_NXN, ROUNDS * 12 * (THREADS - 1));
    FINISH;
    return 0;
}
