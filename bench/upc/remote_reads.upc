/*
 * Reads of single elements of another thread: in simple loops over arrays of the usual layouts and through pointers,
 * and at scattered indices. Thread 0 reads while the others wait.
 */
#include <stdlib.h>
#include <upc_relaxed.h>

#include "bench.h"

#define OWN 2048
#define ROUNDS 20
#define BLOCK 64
#define NOINLINE __attribute__((noinline))

shared int cyclic[OWN * THREADS];
shared [OWN] int one_block[OWN * THREADS];
shared [BLOCK] int blocked[OWN * THREADS];
shared int columns[OWN][THREADS];
shared [OWN] int rows[THREADS][OWN];
int places[OWN];
volatile int sink;

static NOINLINE int from_block(int peer)
{
    int sum = 0;
    int i, first = peer * OWN;

    for (i = 0; i < OWN; i++)
        sum += one_block[first + i];
    return sum;
}

static NOINLINE int from_index(int peer)
{
    int sum = 0;
    int i;

    for (i = peer * OWN; i < (peer + 1) * OWN; i++)
        sum += one_block[i];
    return sum;
}

static NOINLINE int from_blocks(int peer)
{
    int sum = 0;
    int i;

    (void)peer;
    for (i = 0; i < OWN; i++)
        sum += blocked[i];
    return sum;
}

static NOINLINE int from_cyclic(int peer)
{
    int sum = 0;
    int i;

    for (i = 0; i < OWN; i++)
        sum += cyclic[i * THREADS + peer];
    return sum;
}

static NOINLINE int from_steps(int peer)
{
    int sum = 0;
    int i;

    for (i = peer; i < OWN * THREADS; i += THREADS)
        sum += cyclic[i];
    return sum;
}

static NOINLINE int from_all(int peer)
{
    int sum = 0;
    int i;

    (void)peer;
    for (i = 0; i < OWN; i++)
        sum += cyclic[i];
    return sum;
}

static NOINLINE int from_column(int peer)
{
    int sum = 0;
    int i;

    for (i = 0; i < OWN; i++)
        sum += columns[i][peer];
    return sum;
}

static NOINLINE int from_row(int peer)
{
    int sum = 0;
    int i;

    for (i = 0; i < OWN; i++)
        sum += rows[peer][i];
    return sum;
}

static NOINLINE int from_indefinite(int peer)
{
    shared [] int *p = (shared [] int *)&one_block[peer * OWN];
    int sum = 0;
    int i;

    for (i = 0; i < OWN; i++)
        sum += p[i];
    return sum;
}

static NOINLINE int from_walk(int peer)
{
    shared [OWN] int *p = &one_block[peer * OWN];
    int sum = 0;
    int i;

    for (i = 0; i < OWN; i++)
        sum += *p++;
    return sum;
}

static NOINLINE int from_walk_cyclic(int peer)
{
    shared int *p = &cyclic[peer];
    int sum = 0;
    int i;

    for (i = 0; i < OWN; i++, p += THREADS)
        sum += *p;
    return sum;
}

static NOINLINE int from_pointer(int peer)
{
    shared [OWN] int *p = &one_block[peer * OWN];
    int sum = 0;
    int i;

    for (i = 0; i < OWN; i++)
        sum += p[i];
    return sum;
}

static NOINLINE int scattered_block(int peer)
{
    int sum = 0;
    int i;

    for (i = 0; i < OWN; i++)
        sum += one_block[peer * OWN + places[i]];
    return sum;
}

static NOINLINE int scattered_cyclic(int peer)
{
    int sum = 0;
    int i;

    (void)peer;
    for (i = 0; i < OWN; i++)
        sum += cyclic[places[i]];
    return sum;
}

static NOINLINE int plain_loop(const volatile int *a)
{
    int sum = 0;
    int i;

    for (i = 0; i < OWN; i++)
        sum += a[i];
    return sum;
}

#define MEASURE(name, function, most)                                                                      \
    do {                                                                                                   \
        double time = 0;                                                                                   \
        int repetition, round;                                                                             \
        for (repetition = 0; repetition < REPETITIONS && MYTHREAD == 0; repetition++)                      \
            BENCH(time, ROUNDS * OWN, for (round = 0; round < ROUNDS; round++) sink = function(peer));     \
        upc_barrier;                                                                                       \
        bench_time(name, time, most);                                                                      \
    } while (0)

int main(void)
{
    volatile int other = (MYTHREAD + 1) % THREADS;
    int peer = other, i;
    int *plain = calloc(OWN, sizeof *plain);
    double reference = 0;

    if (plain == NULL)
        return 2;
    upc_forall (i = 0; i < OWN * THREADS; i++; &cyclic[i])
        cyclic[i] = one_block[i] = i;
    for (i = 0; i < OWN; i++)
        places[i] = (int)((i * 1103515245u + 12345u) >> 7) % OWN;
    upc_barrier;
    for (i = 0; i < REPETITIONS && MYTHREAD == 0; i++)
        BENCH(reference, ROUNDS * OWN, for (int round = 0; round < ROUNDS; round++) sink = plain_loop(plain));
    bench_time("(plain C loop that reads)", reference, 0);
    MEASURE("remote read, one block a thread, [first + i]", from_block, 0.6);
    MEASURE("remote read, one block a thread, [i]", from_index, 0.6);
    MEASURE("remote read, small blocks, [i]", from_blocks, 0);
    MEASURE("remote read, cyclic, [i * THREADS + peer]", from_cyclic, 0.6);
    MEASURE("remote read, cyclic, steps of THREADS", from_steps, 0.6);
    MEASURE("remote read, cyclic, all elements", from_all, 0);
    MEASURE("remote read, [i][peer]", from_column, 0.6);
    MEASURE("remote read, [peer][i]", from_row, 0.6);
    MEASURE("remote read, indefinite pointer", from_indefinite, 0.6);
    MEASURE("remote read, blocked pointer, p++", from_walk, 0.9);
    MEASURE("remote read, cyclic pointer, p += THREADS", from_walk_cyclic, 0.9);
    MEASURE("remote read, blocked pointer, p[i]", from_pointer, 0.9);
    MEASURE("remote read, scattered in a block", scattered_block, 5);
    MEASURE("remote read, scattered in a cyclic array", scattered_cyclic, 5);
    return 0;
}
