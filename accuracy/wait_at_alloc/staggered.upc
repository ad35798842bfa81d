/* Some threads come before thread 0, others after it; all wait for the last. */
// threads: 4 3 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(MYTHREAD == 0 ? 20 : MYTHREAD % 2 ? 5 : 30);
        ALL_ALLOC;
        BARRIER;
    }
    /* Thread 0 comes 10 ms before the last, those with odd numbers 25 ms. */
    plan(WAIT_AT_ALLOC, ROUNDS * (10 + 25 * (THREADS / 2)));
    FINISH;
    return 0;
}
