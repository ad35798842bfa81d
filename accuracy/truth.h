/*
 * What the programs with known waiting times share: sleeping instead of working, since threads that sleep do not disturb
 * each other on few cores; operations with time stamps around them; and from those stamps the waiting times by the
 * published formulae (losses.h), which thread 0 prints at the end, independently of what the tool measures and computes.
 *
 * A stamp is taken right before an operation and right after it, in the thread's private memory. Threads exchange their
 * stamps only when the last measured operation is over. Nothing of that is recorded: `#pragma pupc off` leaves the
 * functions of this file out.
 */
#ifndef TRUTH_H
#define TRUTH_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <upc.h>
#include <upc_collective.h>
#include <bupc_sem.h>

#define ROUNDS 4        /* of most programs */
#define LIMIT 96        /* operations of a kind that a thread can note down */
#define BLOCK 16        /* ints that each thread contributes to an operation */
#define MOST_THREADS 64 /* that `wide` has room for */

enum kind {
    BROADCAST_KIND,
    SCATTER_KIND,
    GATHER_KIND,
    REDUCE_KIND,
    PREFIX_REDUCE_KIND,
    GATHER_ALL_KIND,
    EXCHANGE_KIND,
    PERMUTE_KIND,
    ALLOCATION_KIND
};

/* Times are seconds. `place` tells call paths apart, where a program does. */
struct barrier_stamps {
    double arrival; /* before upc_barrier or upc_notify */
    double wait;    /* before upc_barrier or upc_wait */
    double leave;
    int split;
    int place;
};

struct collective_stamps {
    double enter, leave;
    enum kind kind;
    int modes; /* flags of the call */
    int root;  /* thread, -1 for none */
    int place;
};

struct lock_stamps {
    double request, acquired; /* before and after upc_lock */
    double release;           /* before upc_unlock */
    int lock;                 /* index in `locks` */
    int attempt;              /* by upc_lock_attempt, which does not wait */
    int place;
};

/* A loop that waits for a flag, or a wait for a semaphore. */
struct wait_stamps {
    double begin, end;
    int object; /* number of the flag, or of the semaphore */
    int units;  /* that are taken from a semaphore */
    int place;
};

/* A write to a flag, or a post. */
struct post_stamps {
    double time; /* before it */
    int object;
    int units;
};

/* All that one thread noted down. */
struct stamps {
    int barriers, collectives, holds, flag_waits, writes, takes, posts;
    struct barrier_stamps barrier[LIMIT];
    struct collective_stamps collective[LIMIT];
    struct lock_stamps hold[LIMIT];
    struct wait_stamps flag_wait[LIMIT], take[LIMIT];
    struct post_stamps write[LIMIT], post[LIMIT];
};

static struct stamps own;
static int place;
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

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void sleep_until(double seconds)
{
    struct timespec until;

    until.tv_sec = (time_t)seconds;
    until.tv_nsec = (long)((seconds - (double)until.tv_sec) * 1e9);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
        ;
}

/* Milliseconds. */
static void work(double milliseconds)
{
    sleep_until(now() + 1e-3 * milliseconds);
}

static double held_until;

static void hold_thread(int signal)
{
    int error = errno;

    (void)signal;
    sleep_until(held_until);
    errno = error;
}

/*
 * The calling thread will stand still from `after` to `until` milliseconds from now, wherever it is then: as a thread does
 * that the system lets wait for a core. In an operation it thus leaves late. It is a signal handler that sleeps.
 */
static void hold_up(double after, double until)
{
    static timer_t timer;
    static int exists;
    struct itimerspec when = {{0, 0}, {0, 0}};

    if (!exists) {
        struct sigaction action;
        struct sigevent event;

        memset(&action, 0, sizeof action);
        action.sa_handler = hold_thread;
        action.sa_flags = SA_RESTART;
        memset(&event, 0, sizeof event);
        event.sigev_notify = SIGEV_THREAD_ID;
        event.sigev_signo = SIGUSR2;
        event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
        if (sigaction(SIGUSR2, &action, NULL) != 0 || timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) {
            perror("hold_up");
            exit(1);
        }
        exists = 1;
    }
    held_until = now() + 1e-3 * until;
    when.it_value.tv_nsec = (long)(after * 1e6);
    timer_settime(timer, 0, &when, NULL);
}

static void full(int count)
{
    if (count >= LIMIT) {
        fprintf(stderr, "thread %d: more than %d operations of a kind\n", MYTHREAD, LIMIT);
        upc_global_exit(1);
    }
}

static void before_notify(int split)
{
    struct barrier_stamps *stamps = &own.barrier[own.barriers];

    full(own.barriers);
    stamps->split = split;
    stamps->place = place;
    stamps->arrival = stamps->wait = now();
}

static void before_wait(void)
{
    own.barrier[own.barriers].place = place;
    own.barrier[own.barriers].wait = now();
}

static void after_wait(void)
{
    own.barrier[own.barriers++].leave = now();
}

static void before_collective(enum kind kind, int root, int modes)
{
    struct collective_stamps *stamps = &own.collective[own.collectives];

    full(own.collectives);
    stamps->kind = kind;
    stamps->root = root;
    stamps->modes = modes;
    stamps->place = place;
    stamps->enter = now();
}

static void after_collective(void)
{
    own.collective[own.collectives++].leave = now();
}

static void before_lock(int lock, int attempt)
{
    struct lock_stamps *stamps = &own.hold[own.holds];

    full(own.holds);
    stamps->lock = lock;
    stamps->attempt = attempt;
    stamps->place = place;
    stamps->request = now();
}

static void after_lock(void)
{
    own.hold[own.holds].release = 0;
    own.hold[own.holds++].acquired = now();
}

static void before_waiting(struct wait_stamps *stamps, int count, int object, int units)
{
    full(count);
    stamps->object = object;
    stamps->units = units;
    stamps->place = place;
    stamps->begin = now();
}

static void before_posting(struct post_stamps *stamps, int count, int object, int units)
{
    full(count);
    stamps->object = object;
    stamps->units = units;
    stamps->time = now();
}

/* Locks may be given back in any order. */
static void before_unlock(int lock)
{
    double time = now();
    int hold = own.holds - 1;

    while (hold > 0 && (own.hold[hold].lock != lock || own.hold[hold].release > 0))
        hold--;
    own.hold[hold].release = time;
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

#define STAMPED(kind, root, modes, call)      \
    do {                                      \
        before_collective(kind, root, modes); \
        call;                                 \
        after_collective();                   \
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

#pragma pupc off

/* Whether the lock was free, and is now the caller's. A failed attempt is no ownership. */
static int attempted(int got)
{
    if (got)
        after_lock();
    return got;
}

#pragma pupc on

#define LOCK_ATTEMPT(lock) (before_lock(lock, 1), attempted(upc_lock_attempt(locks[lock])))

#include "losses.h"

#endif
