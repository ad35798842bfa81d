// threads: 1 2 3 4 7
// The manner of EP: batches dealt out by upc_forall, private sums and counts, and shared totals that are added to under
// a lock, through an array behind an indefinite pointer and through single shared variables.
#include <upc_relaxed.h>
#include "check.h"

#define BATCHES 50
#define BINS 10
#define MAX(a, b) ((a) > (b) ? (a) : (b))

shared double sum_x, sum_y;
shared [] long *shared totals;
shared [BINS] long of_thread[THREADS][BINS];
static upc_lock_t *critical;

static double x_of(int batch, int i)
{
    return ((batch * 37 + i * 11) % 101) / 4.0;
}

int main(void)
{
    long counts[BINS] = {0}, expected[BINS] = {0};
    double x = 0, y = 0, all_x = 0, all_y = 0;
    int batch, i, thread;

    critical = upc_all_lock_alloc();
    if (MYTHREAD == 0)
        totals = (shared [] long *)upc_alloc(BINS * sizeof(long));
    upc_barrier 1;
    upc_forall (i = 0; i < BINS; i++; &totals[i])
        totals[i] = 0;
    upc_barrier 2;

    upc_forall (batch = 0; batch < BATCHES; batch++; batch)
        for (i = 0; i < 20; i++) {
            double a = x_of(batch, i), b = x_of(i, batch);

            x += a;
            y += b;
            counts[(int)MAX(a, b) % BINS]++;
        }
    for (i = 0; i < BINS; i++)
        of_thread[MYTHREAD][i] = counts[i];
    upc_lock(critical);
    sum_x += x;
    sum_y += y;
    for (i = 0; i < BINS; i++)
        totals[i] += counts[i];
    upc_unlock(critical);
    upc_barrier 3;

    for (batch = 0; batch < BATCHES; batch++)
        for (i = 0; i < 20; i++) {
            double a = x_of(batch, i), b = x_of(i, batch);

            all_x += a;
            all_y += b;
            expected[(int)MAX(a, b) % BINS]++;
        }
    CHECK(sum_x == all_x && sum_y == all_y);
    for (i = 0; i < BINS; i++) {
        long sum = 0;

        for (thread = 0; thread < THREADS; thread++)
            sum += of_thread[thread][i];
        CHECK_EQUAL(totals[i], expected[i]);
        CHECK_EQUAL(sum, expected[i]);
    }
    upc_barrier;
    if (MYTHREAD == 0) {
        upc_free(totals);
        upc_lock_free(critical);
    }
    return finish();
}
