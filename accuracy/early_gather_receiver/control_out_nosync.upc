/* The early root may leave at once, since nobody promised the data to be there. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(MYTHREAD == 0 ? 5 : 17);
        GATHER(0, IN_MY | OUT_NO);
        BARRIER;
    }
    plan(WAIT_AT_BARRIER, ROUNDS * 12);
    FINISH;
    return 0;
}
