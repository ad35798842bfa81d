/* Semaphores are posted long before anybody takes from them, by a wait or an attempt. */
// threads: 4 2 8
#include "../truth.h"

int main(void)
{
    int round, next = (MYTHREAD + 1) % THREADS;

    BARRIER;
    ALLOC_SEMAPHORES;
    for (round = 0; round < ROUNDS; round++) {
        work(5);
        POST(next, 2);
        work(20);
        TAKE(MYTHREAD, 1);
        before_waiting(&own.take[own.takes], own.takes, MYTHREAD, 1);
        if (!bupc_sem_try(semaphore[MYTHREAD])) {
            fprintf(stderr, "nothing was posted\n");
            return 1;
        }
        own.take[own.takes++].end = now();
        BARRIER;
    }
    FINISH;
    return 0;
}
