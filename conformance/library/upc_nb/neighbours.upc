// threads: 1 2 3 4
// What lies beside a transfer under way is accessed meanwhile: after upc_sync, nothing from before the transfer is read.
#include <upc_relaxed.h>
#include <upc_nb.h>
#include "check.h"

#define N 1000000

static shared [N] int data[N * THREADS];
static int values[N];

int main(void)
{
    const long next = (long)N * ((MYTHREAD + 1) % THREADS);
    int round, i, sum = 0;

    upc_barrier;
    for (round = 1; round <= 8; round++) {
        upc_handle_t put;
        for (i = 0; i < N; i++)
            values[i] = round;
        upc_barrier;
        put = upc_memput_nb(&data[next + 2], values, (N - 4) * sizeof(int));
        sum += data[next] + data[next + N - 1];
        upc_sync(put);
        CHECK_EQUAL(data[next + 2], round);
        CHECK_EQUAL(data[next + N - 3], round);
        upc_barrier;
        upc_memput_nbi(&data[next + 2], values, (N - 4) * sizeof(int));
        sum += data[next + 1] + data[next + N - 2];
        upc_synci();
        CHECK_EQUAL(data[next + N - 3], round);
    }
    CHECK_EQUAL(sum, 0);
    return finish();
}
