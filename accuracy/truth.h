/*
 * What the UPC programs with known waiting times share: operations with time stamps around them, and the end, where the
 * threads exchange their stamps and thread 0 prints what each of them lost (losses.h), independently of what the tool
 * measures and computes. Threads exchange their stamps only when the last measured operation is over.
 */
#ifndef TRUTH_H
#define TRUTH_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <upc.h>
#include <upc_collective.h>
#include <bupc_sem.h>
#include <pupc.h>

#include "stamps.h"

#define BLOCK 16 /* ints that each thread contributes to an operation */

static shared struct stamps published[THREADS];

/* Data of the operations. Thread t's elements are at [t]. */
static shared [BLOCK] int block[THREADS][BLOCK], other_block[THREADS][BLOCK];
static shared [BLOCK * MOST_THREADS] int wide[THREADS][BLOCK * MOST_THREADS], other_wide[THREADS][BLOCK * MOST_THREADS];
static shared int neighbours[THREADS];
static shared long value[THREADS], result[THREADS];

#define LOCKS 4
static upc_lock_t *locks[LOCKS];

/* Thread t's own flag and semaphore are at [t]. */
static shared int flag[THREADS];
static bupc_sem_t *shared semaphore[THREADS];

#pragma pupc off

/* A mode that is not given is ALLSYNC. */
static enum sync sync_in(int modes)
{
    if ((modes & (UPC_IN_ALLSYNC | UPC_IN_MYSYNC)) == UPC_IN_MYSYNC)
        return MYSYNC;
    return modes & UPC_IN_NOSYNC && !(modes & UPC_IN_ALLSYNC) ? NOSYNC : ALLSYNC;
}

static enum sync sync_out(int modes)
{
    if ((modes & (UPC_OUT_ALLSYNC | UPC_OUT_MYSYNC)) == UPC_OUT_MYSYNC)
        return MYSYNC;
    return modes & UPC_OUT_NOSYNC && !(modes & UPC_OUT_ALLSYNC) ? NOSYNC : ALLSYNC;
}

#pragma pupc on

/* The operations are macros, so that they stand at the line, and in the function, that uses them. */

#define BARRIER           \
    do {                  \
        before_notify(0); \
        upc_barrier;      \
        after_wait();     \
    } while (0)

#define NOTIFY            \
    do {                  \
        before_notify(1); \
        upc_notify;       \
    } while (0)

#define WAIT           \
    do {               \
        before_wait(); \
        upc_wait;      \
        after_wait();  \
    } while (0)

#define STAMPED(kind, root, modes, call)                                \
    do {                                                                \
        before_collective(kind, root, sync_in(modes), sync_out(modes)); \
        call;                                                           \
        after_collective();                                             \
    } while (0)

#define BYTES (BLOCK * sizeof(int))

#define BROADCAST(root, modes) \
    STAMPED(BROADCAST_KIND, root, modes, upc_all_broadcast(block, &wide[root][0], BYTES, modes))
#define SCATTER(root, modes) STAMPED(SCATTER_KIND, root, modes, upc_all_scatter(block, &wide[root][0], BYTES, modes))
#define GATHER(root, modes) STAMPED(GATHER_KIND, root, modes, upc_all_gather(&wide[root][0], block, BYTES, modes))
#define REDUCE(root, modes) \
    STAMPED(REDUCE_KIND, root, modes, upc_all_reduceL(&result[root], value, UPC_ADD, THREADS, 1, NULL, modes))
#define PREFIX_REDUCE(modes) \
    STAMPED(PREFIX_REDUCE_KIND, -1, modes, upc_all_prefix_reduceL(result, value, UPC_ADD, THREADS, 1, NULL, modes))
#define GATHER_ALL(modes) STAMPED(GATHER_ALL_KIND, -1, modes, upc_all_gather_all(wide, block, BYTES, modes))
#define EXCHANGE(modes) STAMPED(EXCHANGE_KIND, -1, modes, upc_all_exchange(other_wide, wide, BYTES, modes))
#define PERMUTE(modes) \
    STAMPED(PERMUTE_KIND, -1, modes, upc_all_permute(other_block, block, neighbours, BYTES, modes))

/* Memory that nobody frees before the end. */
#define ALL_ALLOC STAMPED(ALLOCATION_KIND, 0, 0, upc_all_alloc(THREADS, 1000))
#define ALL_LOCK_ALLOC(lock) STAMPED(ALLOCATION_KIND, 0, 0, locks[lock] = upc_all_lock_alloc())

#define LOCK(lock)              \
    do {                        \
        before_lock(lock, 0);   \
        upc_lock(locks[lock]);  \
        after_lock();           \
    } while (0)

#define UNLOCK(lock)             \
    do {                         \
        before_unlock(lock);     \
        upc_unlock(locks[lock]); \
    } while (0)

/* Waits in a loop until the flag `number` has a value: `test` is true once it has. */
#define AWAIT_FLAG(number, test)                                                  \
    do {                                                                          \
        before_waiting(&own.flag_wait[own.flag_waits], own.flag_waits, number, 1); \
        while (!(test))                                                           \
            ;                                                                     \
        own.flag_wait[own.flag_waits++].end = now();                              \
    } while (0)

#define SET_FLAG(number, value)                                            \
    do {                                                                   \
        before_posting(&own.write[own.writes], own.writes, number, 1);      \
        own.writes++;                                                      \
        flag[number] = (value);                                            \
    } while (0)

/* Each thread has one. */
#define ALLOC_SEMAPHORES                               \
    do {                                               \
        semaphore[MYTHREAD] = bupc_sem_alloc(BUPC_SEM_INTEGER); \
        BARRIER;                                       \
    } while (0)

#define TAKE(number, units)                                         \
    do {                                                            \
        bupc_sem_t *taken = semaphore[number];                      \
        before_waiting(&own.take[own.takes], own.takes, number, units); \
        bupc_sem_waitN(taken, units);                               \
        own.take[own.takes++].end = now();                          \
    } while (0)

#define POST(number, units)                                        \
    do {                                                           \
        bupc_sem_t *posted = semaphore[number];                    \
        before_posting(&own.post[own.posts], own.posts, number, units); \
        own.posts++;                                               \
        bupc_sem_postN(posted, units);                             \
    } while (0)

#define IN_MY UPC_IN_MYSYNC
#define IN_ALL UPC_IN_ALLSYNC
#define IN_NO UPC_IN_NOSYNC
#define OUT_MY UPC_OUT_MYSYNC
#define OUT_ALL UPC_OUT_ALLSYNC
#define OUT_NO UPC_OUT_NOSYNC

#define LOCK_ATTEMPT(lock) (before_lock(lock, 1), attempted(upc_lock_attempt(locks[lock])))

#include "losses.h"

#pragma pupc off

static int publish(void)
{
    memcpy((struct stamps *)&published[MYTHREAD], &own, sizeof own);
    return MYTHREAD == 0;
}

static void collect(void)
{
    int t;

    all = malloc((size_t)THREADS * sizeof *all);
    for (t = 0; t < THREADS; t++)
        upc_memget(&all[t], &published[t], sizeof *all);
}

#pragma pupc on

/* Ends a program: to be called last in main, after the plan was stated. */
#define FINISH                \
    do {                      \
        int is_first;         \
        BARRIER;              \
        pupc_control(0);      \
        is_first = publish(); \
        upc_barrier;          \
        if (is_first) {       \
            collect();        \
            judge();          \
        }                     \
    } while (0)

#endif
