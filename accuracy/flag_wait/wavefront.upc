/* A pipeline: each thread waits for the flag of the one before it, which says how many blocks that has done. The first
 * thread is the slowest, so that all others wait for it in the end, whomever they wait for themselves. */
// threads: 4 2 8
#include "../truth.h"

int main(void)
{
    int block;

    BARRIER;
    for (block = 1; block <= ROUNDS; block++) {
        if (MYTHREAD > 0)
            AWAIT_FLAG(MYTHREAD - 1, flag[MYTHREAD - 1] >= block);
        work(MYTHREAD == 0 ? 12 : 6);
        SET_FLAG(MYTHREAD, block);
    }
    /* The first block comes to thread t after the work of all threads before it, the others 6 ms after it is ready. */
    plan(FLAG_WAIT, (THREADS - 1) * (12 + (ROUNDS - 1) * 6.0) + 6.0 * (THREADS - 1) * (THREADS - 2) / 2);
    plan(WAIT_AT_BARRIER, 6.0 * THREADS * (THREADS - 1) / 2);
    FINISH;
    return 0;
}
