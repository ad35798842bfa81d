/* The root of a scatter comes late, and one thread even later, which does not wait. */
// threads: 4 3 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(MYTHREAD == 1 ? 20 : MYTHREAD == 0 ? 30 : 5);
        SCATTER(1, IN_MY | OUT_ALL);
        BARRIER;
    }
    plan(LATE_BROADCAST, ROUNDS * 15 * (THREADS - 2));
    FINISH;
    return 0;
}
