// threads: 1 2 3 4 7
// Broadcast, scatter, gather, gather all, exchange and permute, under every combination of sync flags.
#include <upc.h>
#include <upc_collective.h>
#include "check.h"

#define B 3
shared [] int root[B * 64];
shared [B] int blocks[B * THREADS], other[B * THREADS];
shared [] int gathered[B * 64];
shared int permutation[THREADS];
shared [] int *shared matrix;
shared int cyclic[2 * THREADS];
upc_flag_t flags[] = {UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC, UPC_IN_MYSYNC | UPC_OUT_ALLSYNC, UPC_IN_NOSYNC | UPC_OUT_ALLSYNC,
                      UPC_IN_ALLSYNC | UPC_OUT_MYSYNC,  UPC_IN_MYSYNC | UPC_OUT_MYSYNC,  UPC_IN_NOSYNC | UPC_OUT_MYSYNC,
                      UPC_IN_ALLSYNC | UPC_OUT_NOSYNC,  UPC_IN_MYSYNC | UPC_OUT_NOSYNC,  UPC_IN_NOSYNC | UPC_OUT_NOSYNC, 0};

int main(void)
{
    int round, i, t;
    shared int *all, *exchanged;

    // One block of B * THREADS ints a thread, for gather_all and exchange: element t of the cyclic pointer begins it.
    all = upc_all_alloc(THREADS, B * THREADS * sizeof(int));
    exchanged = upc_all_alloc(THREADS, B * THREADS * sizeof(int));
    for (round = 0; round < (int)(sizeof flags / sizeof *flags); round++) {
        upc_flag_t flag = flags[round];

        if (MYTHREAD == 0)
            for (i = 0; i < B * THREADS; i++)
                root[i] = 1000 * round + i;
        permutation[MYTHREAD] = (MYTHREAD + round + 1) % THREADS;
        upc_barrier;

        upc_all_broadcast(blocks, root, B * sizeof(int), flag);
        upc_barrier;
        for (i = 0; i < B; i++)
            CHECK_EQUAL(blocks[B * MYTHREAD + i], 1000 * round + i);
        upc_barrier;
        upc_all_scatter(blocks, root, B * sizeof(int), flag);
        upc_barrier;
        for (i = 0; i < B; i++)
            CHECK_EQUAL(blocks[B * MYTHREAD + i], 1000 * round + B * MYTHREAD + i);
        upc_all_gather(gathered, blocks, B * sizeof(int), flag);
        upc_barrier;
        for (i = 0; i < B * THREADS; i++)
            CHECK_EQUAL(gathered[i], 1000 * round + i);
        upc_all_gather_all(all, blocks, B * sizeof(int), flag);
        upc_barrier;
        int *own = (int *)&all[MYTHREAD];
        for (i = 0; i < B * THREADS; i++)
            CHECK_EQUAL(own[i], 1000 * round + i);
        for (i = 0; i < B * THREADS; i++)
            own[i] = 10000 * MYTHREAD + i + round;
        upc_barrier;
        upc_all_exchange(exchanged, all, B * sizeof(int), flag);
        upc_barrier;
        int *received = (int *)&exchanged[MYTHREAD];
        for (t = 0; t < THREADS; t++)
            for (i = 0; i < B; i++)
                CHECK_EQUAL(received[B * t + i], 10000 * t + B * MYTHREAD + i + round);
        upc_all_permute(other, blocks, permutation, B * sizeof(int), flag);
        upc_barrier;
        int to = (MYTHREAD + round + 1) % THREADS;
        for (i = 0; i < B; i++)
            CHECK_EQUAL(other[B * to + i], blocks[B * MYTHREAD + i]);
        upc_barrier;
    }

    // The data of broadcast's root may be on any thread.
    cyclic[MYTHREAD] = 50 + MYTHREAD;
    upc_barrier;
    upc_all_broadcast(&cyclic[THREADS], &cyclic[THREADS - 1], sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    CHECK_EQUAL(cyclic[THREADS + MYTHREAD], 50 + THREADS - 1);
    // OUT_MYSYNC lets the thread read what it got, and IN_MYSYNC lets others still write theirs.
    for (round = 0; round < 50; round++) {
        upc_barrier;
        if (MYTHREAD == 0)
            root[0] = round;
        upc_all_broadcast(blocks, root, sizeof(int), UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
        CHECK_EQUAL(blocks[B * MYTHREAD], round);
    }
    return finish();
}
