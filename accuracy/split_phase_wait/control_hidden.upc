/* The work between notify and wait is as long as one thread is late. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(round % THREADS == MYTHREAD ? 15 : 5);
        NOTIFY;
        work(round % THREADS == MYTHREAD ? 15 : 25);
        WAIT;
    }
    FINISH;
    return 0;
}
