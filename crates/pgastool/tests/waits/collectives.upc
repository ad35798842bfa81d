/*
 * Waits in collectives: a late root of a broadcast, a receiver that comes before the senders of a gather and the other
 * way round, a prefix reduction that waits for lower threads, an exchange that needs data of all, and synchronisation
 * on entry where the flags ask for it.
 */
#include <upc.h>
#include <upc_collective.h>
#include "truth.h"

enum kind { BROADCAST, GATHER_EARLY_ROOT, GATHER_LATE_ROOT, PREFIX, EXCHANGE, ALL_IN, KINDS };

struct operation {
    double enter, leave;
};

static shared [KINDS * ROUNDS] struct operation operations[THREADS][KINDS][ROUNDS];
static shared [4] int block[THREADS][4], other[THREADS][4];
static shared [] int root[4 * 64];
static shared int permutation[THREADS];
static shared long value[THREADS], result[THREADS];

static struct operation *own_operation(int kind, int round)
{
    return (struct operation *)&operations[MYTHREAD][kind][round];
}

#define STAMPED(kind, round, call)                    \
    do {                                              \
        own_operation(kind, round)->enter = now();    \
        call;                                         \
        own_operation(kind, round)->leave = now();    \
    } while (0)

static void round_of_all(int round)
{
    size_t size = 4 * sizeof(int);

    sleep_ms(MYTHREAD == 0 ? 25 : 5);
    STAMPED(BROADCAST, round, upc_all_broadcast(block, root, size, UPC_IN_MYSYNC | UPC_OUT_MYSYNC));
    BARRIER;
    sleep_ms(MYTHREAD == 0 ? 5 : 10 + 5 * MYTHREAD);
    STAMPED(GATHER_EARLY_ROOT, round, upc_all_gather(root, block, size, UPC_IN_MYSYNC | UPC_OUT_MYSYNC));
    BARRIER;
    sleep_ms(MYTHREAD == 0 ? 25 : 5);
    STAMPED(GATHER_LATE_ROOT, round, upc_all_gather(root, block, size, UPC_IN_MYSYNC | UPC_OUT_ALLSYNC));
    BARRIER;
    sleep_ms(MYTHREAD == 1 ? 30 : 5);
    STAMPED(PREFIX, round,
            upc_all_prefix_reduceL(result, value, UPC_ADD, THREADS, 1, NULL, UPC_IN_MYSYNC | UPC_OUT_MYSYNC));
    BARRIER;
    sleep_ms(MYTHREAD == round % THREADS ? 30 : 5);
    STAMPED(EXCHANGE, round, upc_all_exchange(other, block, sizeof(int), UPC_IN_MYSYNC | UPC_OUT_MYSYNC));
    BARRIER;
    sleep_ms(MYTHREAD == round % THREADS ? 30 : 10);
    STAMPED(ALL_IN, round, upc_all_permute(other, block, permutation, size, UPC_IN_ALLSYNC | UPC_OUT_MYSYNC));
    BARRIER;
}

/* The last entry into one operation of those threads from `first` up to but not including `end`. */
static double last_entry(int kind, int round, int first, int end)
{
    double last = 0;
    int thread;

    for (thread = first; thread < end; thread++)
        if (operations[thread][kind][round].enter > last)
            last = operations[thread][kind][round].enter;
    return last;
}

/* What a thread lost in one operation, by the definition of the wait state; never more than it spent there. */
static double lost(int kind, int round, int thread)
{
    struct operation own = operations[thread][kind][round];
    double until = 0, seconds;

    switch (kind) {
    case BROADCAST:
        until = operations[0][kind][round].enter;
        break;
    case GATHER_EARLY_ROOT:
        until = thread == 0 ? last_entry(kind, round, 1, THREADS) : 0;
        break;
    case GATHER_LATE_ROOT:
        until = thread != 0 ? operations[0][kind][round].enter : 0;
        break;
    case PREFIX:
        until = last_entry(kind, round, 0, thread);
        break;
    case EXCHANGE:
    case ALL_IN:
        until = last_entry(kind, round, 0, THREADS);
        break;
    }
    seconds = positive(until - own.enter);
    return seconds < own.leave - own.enter ? seconds : own.leave - own.enter;
}

int main(void)
{
    static const char *const metrics[KINDS] = {"late_broadcast",      "early_gather_receiver", "early_gather_sender",
                                               "early_prefix_reduce", "wait_at_nxn",           "collective_sync_in"};
    int round, thread, kind;

    permutation[MYTHREAD] = (MYTHREAD + 1) % THREADS;
    value[MYTHREAD] = MYTHREAD;
    BARRIER;
    for (round = 0; round < ROUNDS; round++)
        round_of_all(round);
    finish_barriers();
    if (MYTHREAD == 0)
        for (kind = 0; kind < KINDS; kind++)
            for (thread = 0; thread < THREADS; thread++) {
                double seconds = 0;

                for (round = 0; round < ROUNDS; round++)
                    seconds += lost(kind, round, thread);
                print_truth(metrics[kind], thread, seconds);
            }
    return 0;
}
