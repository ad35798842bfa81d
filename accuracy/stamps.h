/*
 * What a thread notes down: sleeping instead of working, since threads that sleep do not disturb each other on few cores,
 * and time stamps around operations. Shared by all programming models. The header of a model includes it when it has said
 * how many threads there are (THREADS) and which one this is (MYTHREAD).
 *
 * A stamp is taken right before an operation and right after it. Nothing here is recorded in UPC programs: `#pragma pupc
 * off` leaves the functions of this file out.
 */
#ifndef STAMPS_H
#define STAMPS_H

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef ROUNDS
#define ROUNDS 4 /* of all programs; those that are watched while they run have more */
#endif
#define LIMIT (24 * ROUNDS) /* operations of a kind that a thread can note down */
#define MOST_THREADS 64     /* whose stamps are compared */

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

/* For what the threads wait at the begin of a collective operation, and at its end. */
enum sync {
    MYSYNC, /* for data that they read, or that others have to take */
    ALLSYNC,
    NOSYNC
};

struct collective_stamps {
    double enter, leave;
    enum kind kind;
    enum sync in, out;
    int root; /* thread, -1 for none */
    int place;
};

struct lock_stamps {
    double request, acquired; /* before and after upc_lock */
    double release;           /* before upc_unlock */
    int lock;                 /* index in `locks` */
    int attempt;              /* by upc_lock_attempt, which does not wait */
    int place;
};

/* A wait for a flag or a signal, or for a semaphore or an event. */
struct wait_stamps {
    double begin, end;
    int object;    /* number of the flag, or of the semaphore */
    int units;     /* that are taken from a semaphore */
    int is_signal; /* a flag that a transfer sets */
    int place;
};

/* A synchronisation with some of the threads, or an operation of a group of them. */
struct meeting_stamps {
    double enter, leave;
    unsigned long long members; /* a bit for each thread */
    int root;                   /* of a group, whose data the others need; -1 for none */
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
    int barriers, collectives, holds, flag_waits, writes, takes, posts, meetings, group_operations, completions;
    struct barrier_stamps barrier[LIMIT];
    struct collective_stamps collective[LIMIT];
    struct lock_stamps hold[LIMIT];
    struct wait_stamps flag_wait[LIMIT], take[LIMIT];
    struct wait_stamps completion[LIMIT]; /* for own transfers; the object is what is lost to */
    struct post_stamps write[LIMIT], post[LIMIT];
    struct meeting_stamps meeting[LIMIT], group_operation[LIMIT];
};

/* Of threads that are processes, `processes.h` keeps the stamps where all of them can read them. */
#ifndef own
static struct stamps own;
#endif
static int place;

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
        abort();
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

static void before_collective(enum kind kind, int root, enum sync in, enum sync out)
{
    struct collective_stamps *stamps = &own.collective[own.collectives];

    full(own.collectives);
    stamps->kind = kind;
    stamps->root = root;
    stamps->in = in;
    stamps->out = out;
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
    stamps->is_signal = 0;
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

static void before_meeting(struct meeting_stamps *stamps, int count, unsigned long long members, int root)
{
    full(count);
    stamps->members = members;
    stamps->root = root;
    stamps->place = place;
    stamps->enter = now();
}

/* Whether the lock was free, and is now the caller's. A failed attempt is no ownership. */
static int attempted(int got)
{
    if (got)
        after_lock();
    return got;
}

#pragma pupc on

#endif
