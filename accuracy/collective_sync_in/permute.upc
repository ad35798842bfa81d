/* Threads come one after the other to a permutation and an exchange. */
// threads: 4 3 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(5 + 40.0 / THREADS * ((MYTHREAD + round) % THREADS));
        if (round % 2 == 0)
            PERMUTE(IN_ALL | OUT_MY);
        else
            EXCHANGE(IN_ALL | OUT_NO);
        BARRIER;
    }
    plan(COLLECTIVE_SYNC_IN, ROUNDS * 40.0 * (THREADS - 1) / 2);
    FINISH;
    return 0;
}
