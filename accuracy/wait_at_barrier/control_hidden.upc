/* The late thread is waited for in a split phase, and the work in between hides it. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(round % THREADS == MYTHREAD ? 15 : 5);
        NOTIFY;
        work(round % THREADS == MYTHREAD ? 5 : 15);
        WAIT;
    }
    FINISH;
    return 0;
}
