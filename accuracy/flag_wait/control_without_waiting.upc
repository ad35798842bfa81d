/* Flags are set long before anybody looks at them. */
// threads: 4 2 8
#include "../truth.h"

int main(void)
{
    int round, next = (MYTHREAD + 1) % THREADS;

    BARRIER;
    for (round = 1; round <= ROUNDS; round++) {
        work(5);
        SET_FLAG(next, round);
        work(20);
        AWAIT_FLAG(MYTHREAD, flag[MYTHREAD] == round);
        BARRIER;
    }
    FINISH;
    return 0;
}
