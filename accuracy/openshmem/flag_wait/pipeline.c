/* A pipeline: each PE waits for the word that the one before it sets. The first one is the slowest, so that all others wait
 * for it in the end, whomever they wait for themselves. */
// threads: 4 2
#include "../truth.h"

int main(void)
{
    int block;

    BEGIN;
    for (block = 1; block <= ROUNDS; block++) {
        if (me > 0)
            AWAIT_FLAG(block);
        work(me == 0 ? 12 : 6);
        if (me < pes - 1)
            SET_FLAG(me + 1, block);
    }
    /* The first block comes to PE t after the work of all PEs before it, the others 6 ms after it is ready. */
    plan(FLAG_WAIT, (pes - 1) * (12 + (ROUNDS - 1) * 6.0) + 6.0 * (pes - 1) * (pes - 2) / 2);
    FINISH;
    return 0;
}
