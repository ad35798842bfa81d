/* Each thread waits for data of the one before it, whose arrival a semaphore says. */
// threads: 4 2 8
#include "../truth.h"

int main(void)
{
    int next = (MYTHREAD + 1) % THREADS, round, data[BLOCK] = {0};

    BARRIER;
    ALLOC_SEMAPHORES;
    for (round = 0; round < ROUNDS; round++) {
        bupc_sem_t *signal = semaphore[next];

        work(MYTHREAD == round % THREADS ? 20 : 5);
        before_posting(&own.post[own.posts], own.posts, next, 1);
        own.posts++;
        bupc_memput_signal(&block[next][0], data, BYTES, signal, 1);
        TAKE(MYTHREAD, 1);
        BARRIER;
    }
    plan(EVENT_WAIT, ROUNDS * 15.0);
    plan(WAIT_AT_BARRIER, ROUNDS * 15.0 * (THREADS - 2));
    FINISH;
    return 0;
}
