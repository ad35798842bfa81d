/* A pipeline: the first PE is the slowest, and all others wait for it in the end, whomever they wait for themselves. */
// threads: 4 2
// compiler: library/1.5/oshcc
#include "../library/1.5/truth.h"

int main(void)
{
    int block;

    BEGIN;
    ALLOCATE_SIGNALS;
    for (block = 1; block <= ROUNDS; block++) {
        if (me > 0)
            AWAIT_SIGNAL(block);
        work(me == 0 ? 12 : 6);
        if (me < pes - 1)
            ADD_SIGNAL(me + 1);
    }
    /* The first block comes to PE t after the work of all PEs before it, the others 6 ms after it is ready. */
    plan(SIGNAL_WAIT, (pes - 1) * (12 + (ROUNDS - 1) * 6.0) + 6.0 * (pes - 1) * (pes - 2) / 2);
    FINISH;
    return 0;
}
