/* Thread 0 comes first, and waits for the others: all leave an allocation together. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(MYTHREAD == 0 ? 5 : 17);
        ALL_ALLOC;
        BARRIER;
    }
    plan(WAIT_AT_ALLOC, ROUNDS * 12);
    FINISH;
    return 0;
}
