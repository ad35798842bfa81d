/*
 * From the threads' stamps to what each of them lost, by the formulae of N. Andreev and K. Afanasiev (2011) as
 * docs/patterns.md states them, and the printing of it. Written for itself: it shares nothing with the tool's analysis.
 * Shared by all programming models.
 */
#ifndef LOSSES_H
#define LOSSES_H

#include "stamps.h"

#pragma pupc off

/* What is added up while instances are looked at: seconds by metric, place and thread. */
enum metric {
    WAIT_AT_BARRIER,
    SPLIT_PHASE_WAIT,
    BARRIER_COMPLETION,
    LOCK_CONTENTION,
    WAIT_AT_ALLOC,
    LATE_BROADCAST,
    EARLY_GATHER_RECEIVER,
    EARLY_GATHER_SENDER,
    EARLY_PREFIX_REDUCE,
    WAIT_AT_NXN,
    NXN_COMPLETION,
    COLLECTIVE_SYNC_IN,
    COLLECTIVE_SYNC_OUT,
    WAIT_INSIDE_COLLECTIVE,
    FLAG_WAIT,
    EVENT_WAIT,
    SIGNAL_WAIT,
    PARTNER_WAIT,
    GROUP_WAIT,
    COMPLETION_WAIT,
    FENCE_WAIT,
    METRICS
};

static const char *const metric_names[METRICS] = {
    "wait_at_barrier",       "split_phase_wait",    "barrier_completion",  "lock_contention", "wait_at_alloc",
    "late_broadcast",        "early_gather_receiver", "early_gather_sender", "early_prefix_reduce", "wait_at_nxn",
    "nxn_completion",        "collective_sync_in",  "collective_sync_out", "wait_inside_collective",
    "flag_wait",             "event_wait",          "signal_wait",         "partner_wait",        "group_wait",
    "completion_wait",       "fence_wait"};

#define PLACES 8

#ifndef own
static struct stamps *all;                                  /* of every thread, on thread 0 */
#endif
static double lost[METRICS][PLACES][MOST_THREADS];          /* seconds */
static double planned[METRICS];                             /* milliseconds of all threads, see plan() */

static double smaller(double a, double b) { return a < b ? a : b; }
static double larger(double a, double b) { return a > b ? a : b; }

/* The part from `begin` to `end` of the time that a thread spent in an operation. */
static void lose(enum metric metric, int at, int thread, double begin, double end, double enter, double leave)
{
    lost[metric][at][thread] += larger(0, smaller(end, leave) - larger(begin, enter));
}

static void judge_barrier(int number)
{
    double last = 0, first_exit = 1e300;
    int t;

    for (t = 0; t < THREADS; t++) {
        last = larger(last, all[t].barrier[number].arrival);
        first_exit = smaller(first_exit, all[t].barrier[number].leave);
    }
    for (t = 0; t < THREADS; t++) {
        struct barrier_stamps *b = &all[t].barrier[number];

        lose(b->split ? SPLIT_PHASE_WAIT : WAIT_AT_BARRIER, b->place, t, b->wait, last, b->wait, b->leave);
        lose(BARRIER_COMPLETION, b->place, t, larger(last, first_exit), b->leave, b->wait, b->leave);
    }
}

/* Last entry of the threads from `first` up to but not including `end`, without `except`. */
static double last_entry(int number, int first, int end, int except)
{
    double last = 0;
    int t;

    for (t = first; t < end; t++)
        if (t != except)
            last = larger(last, all[t].collective[number].enter);
    return last;
}

/* The time of the root in which no other thread was in the operation and that is not in `taken`. */
static double lonely(int number, int root, double taken_begin, double taken_end, double out_begin)
{
    struct collective_stamps *own_part = &all[root].collective[number];
    double alone = 0, at = own_part->enter;

    while (at < own_part->leave) {
        /* What covers this moment, or begins next? */
        double covered = 0, next = own_part->leave;
        int t;

        for (t = 0; t < THREADS; t++) {
            struct collective_stamps *c = &all[t].collective[number];

            if (t == root)
                continue;
            if (c->enter <= at && c->leave > at)
                covered = larger(covered, c->leave);
            else if (c->enter > at)
                next = smaller(next, c->enter);
        }
        if (taken_begin <= at && taken_end > at)
            covered = larger(covered, taken_end);
        if (out_begin <= at)
            covered = larger(covered, own_part->leave);
        else
            next = smaller(next, out_begin);
        if (covered > 0) {
            at = covered;
        } else {
            alone += next - at;
            at = next;
        }
    }
    return alone;
}

static void judge_collective(int number)
{
    struct collective_stamps *any = &all[0].collective[number];
    double last = last_entry(number, 0, THREADS, -1), first_exit = 1e300, out_begin;
    int rooted = 0, sends = 0, t;

    switch (any->kind) {
    case BROADCAST_KIND:
    case SCATTER_KIND:
        rooted = sends = 1;
        break;
    case GATHER_KIND:
    case REDUCE_KIND:
        rooted = 1;
        break;
    default:
        break;
    }
    for (t = 0; t < THREADS; t++)
        first_exit = smaller(first_exit, all[t].collective[number].leave);
    out_begin = larger(last, first_exit);
    for (t = 0; t < THREADS; t++) {
        struct collective_stamps *c = &all[t].collective[number];
        double root_entry = c->root < 0 ? 0 : all[c->root].collective[number].enter;
        double until = 0, completion = 1e300;
        enum metric metric = METRICS;

        if (c->kind == ALLOCATION_KIND) {
            /* Threads keep together there. */
            metric = WAIT_AT_ALLOC;
            until = last;
        } else if (c->in == ALLSYNC) {
            metric = COLLECTIVE_SYNC_IN;
            until = last;
        } else if (c->in == MYSYNC) {
            if (rooted && sends) {
                metric = LATE_BROADCAST;
                until = root_entry;
            } else if (rooted && t == c->root) {
                metric = EARLY_GATHER_RECEIVER;
                until = last_entry(number, 0, THREADS, t);
            } else if (rooted && c->out != NOSYNC) {
                metric = EARLY_GATHER_SENDER;
                until = root_entry;
            } else if (c->kind == PREFIX_REDUCE_KIND) {
                metric = EARLY_PREFIX_REDUCE;
                until = last_entry(number, 0, t, -1);
            } else if (c->kind == GATHER_ALL_KIND || c->kind == EXCHANGE_KIND) {
                metric = WAIT_AT_NXN;
                until = last;
            }
        }
        if (metric != METRICS)
            lose(metric, c->place, t, c->enter, until, c->enter, c->leave);
        if (c->kind != ALLOCATION_KIND) {
            if (c->out == ALLSYNC) {
                completion = out_begin;
                lose(COLLECTIVE_SYNC_OUT, c->place, t, completion, c->leave, c->enter, c->leave);
            } else if (c->out == MYSYNC && (c->kind == GATHER_ALL_KIND || c->kind == EXCHANGE_KIND)) {
                completion = out_begin;
                lose(NXN_COMPLETION, c->place, t, completion, c->leave, c->enter, c->leave);
            }
        }
        if (rooted && c->in == MYSYNC && t == c->root)
            lost[WAIT_INSIDE_COLLECTIVE][c->place][t] += lonely(number, t, c->enter, until, completion);
    }
}

/* A lock's owners are in the order in which they had it: stamps of all threads are of the same clock. */
static void judge_locks(void)
{
    int t, i, u, k;

    for (t = 0; t < THREADS; t++)
        for (i = 0; i < all[t].holds; i++) {
            struct lock_stamps *h = &all[t].hold[i], *before = NULL;

            for (u = 0; u < THREADS; u++)
                for (k = 0; k < all[u].holds; k++) {
                    struct lock_stamps *p = &all[u].hold[k];

                    if (p->lock == h->lock && p->acquired < h->acquired && (!before || p->acquired > before->acquired))
                        before = p;
                }
            if (before && !h->attempt)
                lose(LOCK_CONTENTION, h->place, t, h->request, before->release, h->request, h->acquired);
        }
}

/* A wait for a flag has ended with the last write to it. */
static void judge_flags(void)
{
    int t, i, u, k;

    for (t = 0; t < THREADS; t++)
        for (i = 0; i < all[t].flag_waits; i++) {
            struct wait_stamps *w = &all[t].flag_wait[i];
            double written = 0;

            for (u = 0; u < THREADS; u++)
                for (k = 0; k < all[u].writes; k++)
                    if (all[u].write[k].object == w->object && all[u].write[k].time < w->end)
                        written = larger(written, all[u].write[k].time);
            lose(w->is_signal ? SIGNAL_WAIT : FLAG_WAIT, w->place, t, w->begin, written, w->begin, w->end);
        }
}

/* When the unit of that number was posted to a semaphore, counted from 1. */
static double time_of_post(int semaphore, int unit)
{
    double last = 0;
    int posted = 0;

    while (posted < unit) {
        struct post_stamps *next = NULL;
        int t, i;

        for (t = 0; t < THREADS; t++)
            for (i = 0; i < all[t].posts; i++) {
                struct post_stamps *p = &all[t].post[i];

                if (p->object == semaphore && p->time > last && (!next || p->time < next->time))
                    next = p;
            }
        if (!next)
            return 0;
        posted += next->units;
        last = next->time;
    }
    return last;
}

/* A semaphore's units are taken by the waits in the order in which these end. */
static void judge_semaphores(void)
{
    int t, i, u, k;

    for (t = 0; t < THREADS; t++)
        for (i = 0; i < all[t].takes; i++) {
            struct wait_stamps *w = &all[t].take[i];
            int taken = 0;

            for (u = 0; u < THREADS; u++)
                for (k = 0; k < all[u].takes; k++)
                    if (all[u].take[k].object == w->object && all[u].take[k].end <= w->end)
                        taken += all[u].take[k].units;
            lose(EVENT_WAIT, w->place, t, w->begin, time_of_post(w->object, taken), w->begin, w->end);
        }
}

static int is_member(const struct meeting_stamps *meeting, int thread)
{
    return (int)(meeting->members >> thread & 1);
}

/* When a thread came to the synchronisation of that number with another one, counted from 1. */
static double time_of_meeting(int thread, int other, int number)
{
    int i;

    for (i = 0; i < all[thread].meetings; i++)
        if (is_member(&all[thread].meeting[i], other) && --number == 0)
            return all[thread].meeting[i].enter;
    return 0;
}

/* For each pair, the k-th synchronisation of one with the other belongs to the k-th of that one with it. */
static void judge_meetings(void)
{
    int t, u, i, k;

    for (t = 0; t < THREADS; t++)
        for (i = 0; i < all[t].meetings; i++) {
            struct meeting_stamps *m = &all[t].meeting[i];
            double last = 0;

            for (u = 0; u < THREADS; u++) {
                int number = 0;

                if (u == t || !is_member(m, u))
                    continue;
                for (k = 0; k <= i; k++)
                    number += is_member(&all[t].meeting[k], u);
                last = larger(last, time_of_meeting(u, t, number));
            }
            lose(PARTNER_WAIT, m->place, t, m->enter, last, m->enter, m->leave);
        }
}

/* When a thread came to the operation of that number of a group, counted from 1. */
static double time_in_group(int thread, unsigned long long members, int number)
{
    int i;

    for (i = 0; i < all[thread].group_operations; i++)
        if (all[thread].group_operation[i].members == members && --number == 0)
            return all[thread].group_operation[i].enter;
    return 0;
}

/* The k-th operation of a group on one member belongs to the k-th on all others. Needed are the root, or all. */
static void judge_groups(void)
{
    int t, u, i, k;

    for (t = 0; t < THREADS; t++)
        for (i = 0; i < all[t].group_operations; i++) {
            struct meeting_stamps *m = &all[t].group_operation[i];
            double last = 0;
            int number = 0;

            for (k = 0; k <= i; k++)
                number += all[t].group_operation[k].members == m->members;
            for (u = 0; u < THREADS; u++)
                if (is_member(m, u) && (m->root < 0 || u == m->root))
                    last = larger(last, time_in_group(u, m->members, number));
            lose(GROUP_WAIT, m->place, t, m->enter, last, m->enter, m->leave);
        }
}

/* Time in calls that wait for own transfers is lost, all of it. */
static void judge_completions(void)
{
    int t, i;

    for (t = 0; t < THREADS; t++)
        for (i = 0; i < all[t].completions; i++) {
            struct wait_stamps *w = &all[t].completion[i];

            lose(w->object, w->place, t, w->begin, w->end, w->begin, w->end);
        }
}

/*
 * What the program is written to lose to a pattern, in milliseconds summed over its threads. Sleeping takes longer than it
 * was asked to, and threads start at different times: the truth is near it, but not the same. Whoever does not name a
 * pattern says that nothing is lost to it on purpose.
 */
static void plan(enum metric metric, double milliseconds)
{
    planned[metric] += milliseconds;
}

static const char *const *place_names;

static void print_losses(void)
{
    int m, at, t;

    for (m = 0; m < METRICS; m++) {
        printf("TRUTH %s %.6f", metric_names[m], 1e-3 * planned[m]);
        for (t = 0; t < THREADS; t++) {
            double sum = 0;

            for (at = 0; at < PLACES; at++)
                sum += lost[m][at][t];
            printf(" %.9f", sum);
        }
        printf("\n");
        for (at = 1; at < PLACES && planned[m] > 0 && place_names; at++) {
            if (!place_names[at])
                break;
            printf("TRUTH_AT %s %s", place_names[at], metric_names[m]);
            for (t = 0; t < THREADS; t++)
                printf(" %.9f", lost[m][at][t]);
            printf("\n");
        }
    }
}

/* On thread 0, when `all` has the stamps of every thread. */
static void judge(void)
{
    int i;

    if (THREADS > MOST_THREADS) {
        fprintf(stderr, "at most %d threads\n", MOST_THREADS);
        abort();
    }
    for (i = 0; i < all[0].barriers; i++)
        judge_barrier(i);
    for (i = 0; i < all[0].collectives; i++)
        judge_collective(i);
    judge_locks();
    judge_flags();
    judge_semaphores();
    judge_meetings();
    judge_groups();
    judge_completions();
    print_losses();
}

#pragma pupc on

#endif
