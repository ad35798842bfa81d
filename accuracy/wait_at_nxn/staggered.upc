/* Threads come one after the other, to an exchange and a gather_all in turn. */
// threads: 4 3 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(5 + 40.0 / THREADS * ((MYTHREAD + round) % THREADS));
        if (round % 2 == 0)
            EXCHANGE(IN_MY | OUT_MY);
        else
            GATHER_ALL(IN_MY | OUT_MY);
        BARRIER;
    }
    plan(WAIT_AT_NXN, ROUNDS * 40.0 * (THREADS - 1) / 2);
    FINISH;
    return 0;
}
