/* With UPC_OUT_NOSYNC a sender that waits for the root does so only because of the runtime, and is not charged. */
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
