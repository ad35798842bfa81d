/* A pipeline: each thread waits until the one before it has posted a block. */
// threads: 4 2 8
#include "../truth.h"

int main(void)
{
    int block;

    BARRIER;
    ALLOC_SEMAPHORES;
    for (block = 0; block < ROUNDS; block++) {
        if (MYTHREAD > 0)
            TAKE(MYTHREAD, 1);
        work(MYTHREAD == 0 ? 12 : 6);
        if (MYTHREAD < THREADS - 1)
            POST(MYTHREAD + 1, 1);
    }
    plan(EVENT_WAIT, (THREADS - 1) * (12 + (ROUNDS - 1) * 6.0) + 6.0 * (THREADS - 1) * (THREADS - 2) / 2);
    plan(WAIT_AT_BARRIER, 6.0 * THREADS * (THREADS - 1) / 2);
    FINISH;
    return 0;
}
