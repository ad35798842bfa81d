// threads: 1 2 3 4
// Recursion over shared data: quicksort by thread 0's neighbour, tree sum, towers.
#include <upc.h>
#include "check.h"

#define N (50 * THREADS)
shared [7] int data[50 * THREADS];

static void exchange(shared [7] int *p, shared [7] int *q)
{
    int t = *p;

    *p = *q;
    *q = t;
}

static void sort(shared [7] int *low, shared [7] int *high)
{
    shared [7] int *p = low, *store = low;

    if (high - low < 2)
        return;
    exchange(low + (high - low) / 2, high - 1);
    for (; p < high - 1; p++)
        if (*p < high[-1])
            exchange(p, store++);
    exchange(store, high - 1);
    sort(low, store);
    sort(store + 1, high);
}

static long sum(shared [7] int *p, int n)
{
    return n == 1 ? *p : sum(p, n / 2) + sum(p + n / 2, n - n / 2);
}

int main(void)
{
    int i;
    long expected = 0;

    for (i = 0; i < N; i++)
        expected += i * 37 % 101;
    upc_forall (i = 0; i < N; i++; &data[i])
        data[i] = i * 37 % 101;
    upc_barrier;
    CHECK_EQUAL(sum(data, N), expected);
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        sort(data, data + N);
    upc_barrier;
    for (i = 1; i < N; i++)
        CHECK(data[i - 1] <= data[i]);
    CHECK_EQUAL(sum(data, N), expected);
    return finish();
}
