/* Some threads come before thread 0, others after it; only those before wait. */
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
    plan(WAIT_AT_ALLOC, ROUNDS * 15 * (THREADS / 2));
    plan(WAIT_AT_BARRIER, ROUNDS * 10 * (1 + THREADS / 2));
    FINISH;
    return 0;
}
