/* Two threads are held up, in an exchange and a permutation in turn. */
// threads: 4 3 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        if (MYTHREAD == 0)
            hold_up(4, 20);
        if (MYTHREAD == 1)
            hold_up(5, 30);
        if (MYTHREAD == THREADS - 1)
            work(10);
        if (round % 2 == 0)
            EXCHANGE(IN_NO | OUT_ALL);
        else
            PERMUTE(IN_NO | OUT_ALL);
        BARRIER;
    }
    plan(COLLECTIVE_SYNC_OUT, ROUNDS * (10 + 20));
    plan(WAIT_AT_BARRIER, ROUNDS * (20 * (THREADS - 2) + 10));
    FINISH;
    return 0;
}
