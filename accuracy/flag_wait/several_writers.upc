/* One thread waits for a value that the last of several writers gives to a flag. */
// threads: 4 3 8
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        if (MYTHREAD == 0) {
            int now_seen;

            before_waiting(&own.flag_wait[own.flag_waits], own.flag_waits, 0, 1);
            do {
                now_seen = flag[0];
            } while (now_seen != THREADS - 1);
            own.flag_wait[own.flag_waits++].end = now();
        } else {
            work(8 * MYTHREAD);
            SET_FLAG(0, MYTHREAD);
        }
        BARRIER;
        if (MYTHREAD == 0)
            flag[0] = 0;
        BARRIER;
    }
    plan(FLAG_WAIT, ROUNDS * 8.0 * (THREADS - 1));
    plan(WAIT_AT_BARRIER, ROUNDS * 8.0 * (THREADS - 1) * (THREADS - 2) / 2);
    FINISH;
    return 0;
}
