/* Pairs of threads take turns by two flags: while one of them works, the other one waits for its flag. */
// threads: 4 2 8
#include "../truth.h"

int main(void)
{
    int partner = MYTHREAD ^ 1, is_first = MYTHREAD % 2 == 0, round;

    BARRIER;
    for (round = 1; round <= ROUNDS && partner < THREADS; round++) {
        if (!is_first)
            AWAIT_FLAG(MYTHREAD, flag[MYTHREAD] == round);
        work(is_first ? 10 : 15);
        SET_FLAG(partner, round);
        if (is_first)
            AWAIT_FLAG(MYTHREAD, flag[MYTHREAD] == round);
    }
    plan(FLAG_WAIT, ROUNDS * 25.0 * (THREADS / 2));
    FINISH;
    return 0;
}
