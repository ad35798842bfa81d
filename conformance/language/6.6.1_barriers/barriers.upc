// threads: 1 2 3 4 7
// Barriers with and without a value, split phases, legal mixes of them.
#include <upc.h>
#include "check.h"

shared int step[THREADS];

static void all_at(int n)
{
    int i;

    for (i = 0; i < THREADS; i++)
        CHECK(step[i] >= n);
}

int main(void)
{
    int i, n = 0;

    for (i = 0; i < 50; i++) {
        step[MYTHREAD] = ++n;
        upc_barrier;
        all_at(n);
        step[MYTHREAD] = ++n;
        upc_barrier i;
        all_at(n);
        step[MYTHREAD] = ++n;
        upc_barrier(i + 3) * 2;
        all_at(n);
        step[MYTHREAD] = ++n;
        upc_notify;
        upc_wait;
        all_at(n);
        step[MYTHREAD] = ++n;
        upc_notify i;
        int between = i * 2;
        upc_wait i;
        all_at(n);
        CHECK_EQUAL(between, 2 * i);

        // A plain notify goes with any wait, and threads may name the barrier or not.
        step[MYTHREAD] = ++n;
        upc_notify;
        upc_wait 5;
        all_at(n);
        step[MYTHREAD] = ++n;
        if (MYTHREAD % 2)
            upc_barrier 7;
        else
            upc_barrier;
        all_at(n);
        step[MYTHREAD] = ++n;
        if (MYTHREAD % 2) {
            upc_notify 7;
            upc_wait 7;
        } else
            upc_barrier;
        all_at(n);
    }
    if (n > 0)
        upc_barrier;
    else
        upc_barrier 1;
    return finish();
}
