/* One thread takes what all others post, some of them more at once. */
// threads: 4 3 8
#include "../truth.h"

int main(void)
{
    int round, units = MYTHREAD % 2 + 1, all_units = 0, t;

    for (t = 1; t < THREADS; t++)
        all_units += t % 2 + 1;
    BARRIER;
    ALLOC_SEMAPHORES;
    for (round = 0; round < ROUNDS; round++) {
        if (MYTHREAD == 0) {
            TAKE(0, all_units);
        } else {
            work(8 * MYTHREAD);
            POST(0, units);
        }
        BARRIER;
    }
    plan(EVENT_WAIT, ROUNDS * 8.0 * (THREADS - 1));
    plan(WAIT_AT_BARRIER, ROUNDS * 8.0 * (THREADS - 1) * (THREADS - 2) / 2);
    FINISH;
    return 0;
}
