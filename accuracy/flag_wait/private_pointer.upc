/* Each thread waits for its own flag through a private pointer, and gives way meanwhile. */
// threads: 4 2 8
#include "../truth.h"
#include <sched.h>

int main(void)
{
    volatile int *mine = (volatile int *)&flag[MYTHREAD];
    int next = (MYTHREAD + 1) % THREADS, round;

    BARRIER;
    for (round = 1; round <= ROUNDS; round++) {
        work(MYTHREAD == 0 ? 20 : 5);
        SET_FLAG(next, round);
        before_waiting(&own.flag_wait[own.flag_waits], own.flag_waits, MYTHREAD, 1);
        while (*mine != round)
            sched_yield();
        own.flag_wait[own.flag_waits++].end = now();
        BARRIER;
    }
    plan(FLAG_WAIT, ROUNDS * 15.0);
    plan(WAIT_AT_BARRIER, ROUNDS * 15.0 * (THREADS - 2));
    FINISH;
    return 0;
}
