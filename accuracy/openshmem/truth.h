/*
 * What the OpenSHMEM programs with known waiting times share: operations with time stamps around them, and the end, after
 * which PE 0 prints what each PE lost (losses.h), independently of what the tool measures and computes.
 */
#ifndef TRUTH_H
#define TRUTH_H

#define _GNU_SOURCE
#include <sched.h>
#include <shmem.h>

static int me, pes;

#define MYTHREAD me
#define THREADS pes
#include "../processes.h"

#define BLOCK 16 /* longs that each PE contributes to an operation */
#define LOCKS 4
#define LARGE 50000 /* longs that do not go on their way before they are wanted */

/*
 * Data of the operations, in memory that others can access without the help of the PE, which sleeps. What a kind of
 * operation is kept in order with is used again after a barrier only.
 */
static struct data {
    long block[BLOCK], other_block[BLOCK], wide[BLOCK * MOST_THREADS], other_wide[BLOCK * MOST_THREADS];
    long large[LARGE], other_large[LARGE];
    long work_space[BLOCK + SHMEM_REDUCE_MIN_WRKDATA_SIZE];
    long locks[LOCKS];
    long flag; /* a PE waits for its own */
    long broadcast_sync[SHMEM_BCAST_SYNC_SIZE], collect_sync[SHMEM_COLLECT_SYNC_SIZE];
    long exchange_sync[SHMEM_ALLTOALL_SYNC_SIZE], reduce_sync[SHMEM_REDUCE_SYNC_SIZE];
    long barrier_sync[SHMEM_BARRIER_SYNC_SIZE];
} *data;

static void ready_for_use(long *sync, int words)
{
    while (words > 0)
        sync[--words] = SHMEM_SYNC_VALUE;
}

/* The operations are macros, so that they stand at the line, and in the function, that uses them. */

#define MEET(barrier)     \
    do {                  \
        before_notify(0); \
        barrier();        \
        after_wait();     \
    } while (0)

#define BARRIER MEET(shmem_barrier_all)
#define SYNC MEET(shmem_sync_all)

#define STAMPED(kind, root, call)                      \
    do {                                               \
        before_collective(kind, root, MYSYNC, MYSYNC); \
        call;                                          \
        after_collective();                            \
    } while (0)

#define BROADCAST_OF(root, from, to, count) \
    STAMPED(BROADCAST_KIND, root,           \
            shmem_broadcast64(data->to, data->from, count, root, 0, 0, pes, data->broadcast_sync))
#define BROADCAST(root) BROADCAST_OF(root, block, other_block, BLOCK)
#define LARGE_BROADCAST(root) BROADCAST_OF(root, large, other_large, LARGE)
#define FCOLLECT                  \
    STAMPED(GATHER_ALL_KIND, -1, \
            shmem_fcollect64(data->wide, data->block, BLOCK, 0, 0, pes, data->collect_sync))
#define ALLTOALL                \
    STAMPED(EXCHANGE_KIND, -1, \
            shmem_alltoall64(data->other_wide, data->wide, BLOCK, 0, 0, pes, data->exchange_sync))
#define SUM_TO_ALL               \
    STAMPED(GATHER_ALL_KIND, -1, \
            shmem_long_sum_to_all(data->other_block, data->block, BLOCK, 0, 0, pes, data->work_space, data->reduce_sync))

#define ALLOCATE(block, bytes) STAMPED(ALLOCATION_KIND, -1, block = shmem_malloc(bytes))
#define RELEASE(block) STAMPED(ALLOCATION_KIND, -1, shmem_free(block))

#define LOCK(lock)                          \
    do {                                    \
        before_lock(lock, 0);               \
        shmem_set_lock(&data->locks[lock]); \
        after_lock();                       \
    } while (0)

#define UNLOCK(lock)                          \
    do {                                      \
        before_unlock(lock);                  \
        shmem_clear_lock(&data->locks[lock]); \
    } while (0)

#define LOCK_ATTEMPT(lock) (before_lock(lock, 1), attempted(!shmem_test_lock(&data->locks[lock])))

/* An operation of the PEs `start`, `start` + `stride`, and so on; the root is a number among all, or -1. */
#define OF_SET(start, stride, size, root, call)                                                    \
    do {                                                                                           \
        before_meeting(&own.group_operation[own.group_operations], own.group_operations,           \
                       set_of(start, stride, size), root);                                         \
        call;                                                                                      \
        own.group_operation[own.group_operations++].leave = now();                                 \
    } while (0)

static int log_of(int stride) { return stride == 1 ? 0 : 1 + log_of(stride / 2); }

static unsigned long long set_of(int start, int stride, int size)
{
    unsigned long long members = 0;

    while (size-- > 0)
        members |= 1ull << (start + size * stride);
    return members;
}

#define SET_BARRIER(start, stride, size) \
    OF_SET(start, stride, size, -1, shmem_barrier(start, log_of(stride), size, data->barrier_sync))
#define SET_SUM(start, stride, size)                                                                             \
    OF_SET(start, stride, size, -1,                                                                              \
           shmem_long_sum_to_all(data->other_block, data->block, BLOCK, start, log_of(stride), size,             \
                                 data->work_space, data->reduce_sync))
/* The root is the number of one in the set. */
#define SET_BROADCAST(start, stride, size, root)                                                                 \
    OF_SET(start, stride, size, (start) + (root) * (stride),                                                     \
           shmem_broadcast64(data->other_block, data->block, BLOCK, root, start, log_of(stride), size,           \
                             data->broadcast_sync))

/* Waits for own transfers, all the time of which is lost to `metric`. */
#define COMPLETE(metric, call)                                                                     \
    do {                                                                                           \
        before_waiting(&own.completion[own.completions], own.completions, metric, 1);              \
        call;                                                                                      \
        own.completion[own.completions++].end = now();                                             \
    } while (0)

#define PUT_NBI(pe) shmem_long_put_nbi(data->other_block, data->block, BLOCK, pe)
#define PUT(pe) shmem_long_put(data->other_block, data->block, BLOCK, pe)
#define QUIET COMPLETE(COMPLETION_WAIT, shmem_quiet())
#define FENCE COMPLETE(FENCE_WAIT, shmem_fence())

/* `wait` is a wait for the own word that has the number of the PE: a flag, or a signal. */
#define AWAIT(signal, wait)                                                    \
    do {                                                                       \
        before_waiting(&own.flag_wait[own.flag_waits], own.flag_waits, me, 1); \
        own.flag_wait[own.flag_waits].is_signal = signal;                      \
        wait;                                                                  \
        own.flag_wait[own.flag_waits++].end = now();                           \
    } while (0)

#define AWAIT_FLAG(value) AWAIT(0, shmem_long_wait_until(&data->flag, SHMEM_CMP_GE, value))
#define POLL_FLAG(value)                                                \
    AWAIT(0, while (!shmem_long_test(&data->flag, SHMEM_CMP_GE, value)) \
                 sched_yield())

/* `call` writes the word of `pe`. */
#define STAMPED_WRITE(pe, call)                                    \
    do {                                                           \
        before_posting(&own.write[own.writes], own.writes, pe, 1); \
        own.writes++;                                              \
        call;                                                      \
    } while (0)

#define SET_FLAG(pe, value) STAMPED_WRITE(pe, shmem_long_atomic_set(&data->flag, value, pe))
#define ADD_TO_FLAG(pe, value) STAMPED_WRITE(pe, shmem_long_atomic_add(&data->flag, value, pe))

static void begin(void)
{
    shmem_init();
    me = shmem_my_pe();
    pes = shmem_n_pes();
    map_stamps();
}

static void clear_data(void)
{
    memset(data, 0, sizeof *data);
    ready_for_use(data->broadcast_sync, SHMEM_BCAST_SYNC_SIZE);
    ready_for_use(data->collect_sync, SHMEM_COLLECT_SYNC_SIZE);
    ready_for_use(data->exchange_sync, SHMEM_ALLTOALL_SYNC_SIZE);
    ready_for_use(data->reduce_sync, SHMEM_REDUCE_SYNC_SIZE);
    ready_for_use(data->barrier_sync, SHMEM_BARRIER_SYNC_SIZE);
}

/* Begins a program. */
#define BEGIN                         \
    do {                              \
        begin();                      \
        ALLOCATE(data, sizeof *data); \
        clear_data();                 \
        BARRIER;                      \
        forget_file();                \
    } while (0)

/* Ends a program: to be called last in main, after the plan was stated. */
#define FINISH            \
    do {                  \
        shmem_finalize(); \
        if (me == 0)      \
            judge();      \
    } while (0)

#endif
