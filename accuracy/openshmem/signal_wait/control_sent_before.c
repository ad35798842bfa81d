/* Data with its signal comes long before anybody waits for it. */
// threads: 4 2
// compiler: library/1.5/oshcc
#include "../library/1.5/truth.h"

int main(void)
{
    int round;

    BEGIN;
    ALLOCATE_SIGNALS;
    for (round = 1; round <= ROUNDS; round++) {
        work(5);
        PUT_SIGNAL((me + 1) % pes, round);
        work(20);
        AWAIT_SIGNAL(round);
        BARRIER;
    }
    FINISH;
    return 0;
}
