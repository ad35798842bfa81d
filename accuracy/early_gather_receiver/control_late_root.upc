/* The root comes last: the data is there, and it waits for nobody. */
// threads: 4 2 16
#include "../truth.h"

int main(void)
{
    int round;

    BARRIER;
    for (round = 0; round < ROUNDS; round++) {
        work(MYTHREAD == 0 ? 17 : 5);
        GATHER(0, IN_MY | OUT_NO);
        BARRIER;
    }
    FINISH;
    return 0;
}
