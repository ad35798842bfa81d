// threads: 1 2 3 4
// Relaxed reads of one place, by whatever means, do not go back to older values, and do not stay with one.
#include <time.h>
#include <unistd.h>
#include <upc_nb.h>
#include <upc_relaxed.h>
#include "check.h"

#define N 1000

static shared [N] int data[N * THREADS];
static shared [1] int flags[THREADS];

int main(void)
{
    const int last = THREADS - 1;
    int round, got[N];
    time_t begin;

    upc_barrier;
    for (round = 1; round <= 10; round++) {
        if (MYTHREAD == 0) {
            int kept = data[N * last + 5];
            usleep(3000);
            upc_memget(got, &data[N * last], sizeof got);
            CHECK(data[N * last + 5] >= got[5] && got[5] >= kept);
            usleep(2000);
            upc_sync(upc_memget_nb(got, &data[N * last], sizeof got));
            CHECK(data[N * last + 5] >= got[5]);
        }
        if (MYTHREAD == last && last != 0) {
            usleep(1000);
            data[N * last + 5] = 2 * round;
            usleep(3000);
            data[N * last + 5] = 2 * round + 1;
        }
        upc_barrier;
    }

    /* Few looks, with time between them. */
    begin = time(NULL);
    if (MYTHREAD == 0) {
        int first = flags[last];
        CHECK_EQUAL(first, 0);
        upc_barrier;
        while (THREADS > 1 && flags[last] == 0 && time(NULL) - begin < 4)
            usleep(60000);
        CHECK(THREADS == 1 || flags[last] == 1);
        CHECK(time(NULL) - begin < 3);
    } else {
        upc_barrier;
        if (MYTHREAD == last) {
            usleep(100000);
            flags[last] = 1;
        }
    }
    return finish();
}
