// threads: 2 3
// Collective calls that are not the same on all threads.
#include <upc.h>
#include <upc_collective.h>
#include <stdio.h>
#include <stdlib.h>

#define N 4
#define NOSYNC (UPC_IN_NOSYNC | UPC_OUT_NOSYNC)
shared [N] int source[N * THREADS], destination[N * THREADS];
shared [] int all[64];
shared int result;
shared int *first, *second;

static int larger(int a, int b) { return a > b ? a : b; }
static int smaller(int a, int b) { return a < b ? a : b; }

int main(int argc, char **argv)
{
    int fault = argc > 1 ? atoi(argv[1]) : 0, last = MYTHREAD == THREADS - 1, odd = fault != 0 && last, i;
    upc_lock_t *lock;

    for (i = 0; i < 100; i++) {
        upc_all_broadcast(destination, source, N * sizeof(int), NOSYNC);
        upc_all_reduceI(&result, source, UPC_ADD, N * THREADS, N, NULL, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
    }
    first = upc_all_alloc(THREADS, sizeof(int));
    second = upc_all_alloc(THREADS, sizeof(int));
    lock = upc_all_lock_alloc();
    upc_all_reduceI(&result, source, UPC_FUNC, N * THREADS, N, larger, 0);
    upc_all_lock_free(lock);
    upc_barrier;

    if (fault == 1) {
        if (last)
            upc_all_gather(all, source, sizeof(int), 0); /* fault 1: upc_all_gather */
        else
            upc_all_scatter(destination, all, sizeof(int), 0); /* fault 1: in the same order */
    }
    if (fault == 2)
        upc_all_broadcast(destination, source, (N - odd) * sizeof(int), 0); /* fault 2: upc_all_broadcast must have the same number of bytes on all threads */
    if (fault == 3)
        upc_all_broadcast(destination, source + odd, sizeof(int), 0); /* fault 3: the same source on all threads */
    if (fault == 4)
        upc_all_exchange(destination, source, sizeof(int), odd ? UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC : NOSYNC); /* fault 4: the same flags on all threads */
    if (fault == 5)
        upc_all_reduceI(&result, source, odd ? UPC_MAX : UPC_MIN, N, N, NULL, 0); /* fault 5: upc_all_reduceI must have the same operation */
    if (fault == 6)
        upc_all_prefix_reduceI(destination, source, UPC_ADD, N - odd, N, NULL, 0); /* fault 6: the same number of elements */
    if (fault == 7)
        upc_all_reduceI(&result, source, UPC_FUNC, N, N, odd ? larger : smaller, 0); /* fault 7: the same function */
    if (fault == 8)
        upc_all_alloc(THREADS, 8 + odd); /* fault 8: upc_all_alloc must have the same number of bytes on all threads */
    if (fault == 9)
        upc_all_free(odd ? first : second); /* fault 9: upc_all_free must have the same pointer on all threads */
    if (fault == 10 && last)
        upc_all_lock_alloc(); /* fault 10: is at upc_all_lock_alloc */
    if (fault == 11) {
        // The one that comes too early waits for nobody.
        upc_all_broadcast(destination, source, 4 + 4 * odd, NOSYNC); /* fault 11: upc_all_broadcast */
    }
    upc_barrier; /* fault 10: upc_barrier */
    if (MYTHREAD == 0)
        printf("OK\n");
    return 0;
}
