// threads: 1 2 3 4 7
// upc_all_sort: every layout, from any element on, and elements that compare equal keep their order.
#include <upc.h>
#include <upc_collective.h>
#include "check.h"

struct item {
    int key;
    int number;
};
#define N (9 * THREADS)
shared struct item cyclic[N];
shared [4] double blocked[12 * THREADS];
shared [] short flat[40];

static int by_key(shared void *a, shared void *b)
{
    shared struct item *x = a, *y = b;

    return x->key - y->key;
}

static int downwards(shared void *a, shared void *b)
{
    double x = *(shared double *)a, y = *(shared double *)b;

    return x < y ? 1 : x > y ? -1 : 0;
}

static int as_numbers(shared void *a, shared void *b)
{
    return *(shared short *)a - *(shared short *)b;
}

int main(void)
{
    int i;
    double sum = 0;

    upc_forall (i = 0; i < N; i++; &cyclic[i]) {
        cyclic[i].key = i * 7 % 5;
        cyclic[i].number = i;
    }
    upc_forall (i = 0; i < 12 * THREADS; i++; &blocked[i])
        blocked[i] = i * 31 % 17;
    upc_forall (i = 0; i < 40; i++; &flat[i])
        flat[i] = (short)(i % 2 ? -i : i);
    upc_barrier;
    upc_all_sort(cyclic, sizeof(struct item), N, 1, by_key, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    for (i = 1; i < N; i++)
        CHECK(cyclic[i - 1].key < cyclic[i].key ||
              (cyclic[i - 1].key == cyclic[i].key && cyclic[i - 1].number < cyclic[i].number));
    upc_all_sort(&blocked[3], sizeof(double), 12 * THREADS - 5, 4, downwards, 0);
    for (i = 4; i < 12 * THREADS - 2; i++)
        CHECK(blocked[i - 1] >= blocked[i]);
    for (i = 0; i < 12 * THREADS; i++)
        sum += blocked[i] - i * 31 % 17;
    CHECK(sum == 0);
    CHECK(blocked[0] == 0 && blocked[12 * THREADS - 1] == (12 * THREADS - 1) * 31 % 17);
    upc_all_sort(flat, sizeof(short), 40, 0, as_numbers, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
    for (i = 1; i < 40; i++)
        CHECK(flat[i - 1] < flat[i]);
    upc_all_sort(flat, sizeof(short), 1, 0, as_numbers, 0);
    upc_all_sort(flat, sizeof(short), 0, 0, as_numbers, 0);
    return finish();
}
