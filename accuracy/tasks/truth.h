/*
 * What the programs of tasks with known idle times share: work, stamps around sends and receives, and the end, where the
 * program prints what each processor lost, independently of what the tool measures and computes.
 *
 * The main task runs on processor 0, and the tasks that it creates on 1, 2 and so on, round robin. Sleeping stands for
 * computing: tasks that sleep keep their processors, and do not disturb each other on few cores.
 */
#ifndef TRUTH_H
#define TRUTH_H

#include <pgas_tasks.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifndef ROUNDS
#define ROUNDS 6
#endif
#define MOST_PROCESSORS 16
#define MOST 256 /* stamps of a kind */

enum metric { LATE_PRODUCER, SLOW_CONSUMER, IDLE_WITHOUT_TASK, METRICS };

static const char *const metric_names[METRICS] = {"late_producer", "slow_consumer", "idle_without_task"};

/* A processor had one task, which waited. It lost the time until something that another task did, at the latest until it
 * went on. Times are seconds; 0 was never. */
struct wait {
    enum metric metric;
    int processor;
    double begin, end;
    const double *until;
};

/* A time from which on a task could run, or a processor had none, and its end. */
struct stretch {
    double begin, end;
    int processor;
};

/* A channel with the times at which messages were sent and received. Each is used by one sender and one receiver. */
struct channel {
    pgas_output *output;
    pgas_input *input;
    int capacity, next_sent, next_received;
    double sent[MOST], received[MOST];
};

static int processors;
static struct wait waits[MOST_PROCESSORS][MOST];
static int wait_count[MOST_PROCESSORS];
static struct stretch ready[MOST], idle[MOST];
static int readies, idles;
static double planned[METRICS]; /* milliseconds of all processors */

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Computes, in a way, for some milliseconds. */
static inline void work(double milliseconds)
{
    double until = now() + 1e-3 * milliseconds, left;

    while ((left = until - now()) > 0) {
        struct timespec time = {(time_t)left, (long)(1e9 * (left - (double)(time_t)left))};

        nanosleep(&time, NULL);
    }
}

static inline void plan(enum metric metric, double milliseconds) { planned[metric] += milliseconds; }

/* Plans what a chain of tasks loses, one on each processor, each of which receives from the one before, works for
 * `times[p]` milliseconds and sends to the next, in channels of a capacity; -1 is none. */
static inline void plan_pipeline(const double *times, int capacity)
{
    static double sent[MOST_PROCESSORS][ROUNDS], received[MOST_PROCESSORS][ROUNDS];
    double ready_at[MOST_PROCESSORS] = {0}, at;
    int round, p;

    for (round = 0; round < ROUNDS; round++) {
        for (p = 0; p < processors; p++) {
            int made_room = round - 1 - capacity;

            at = ready_at[p];
            if (capacity >= 0 && made_room >= 0 && p < processors - 1 && received[p + 1][made_room] > at) {
                plan(SLOW_CONSUMER, received[p + 1][made_room] - at);
                at = received[p + 1][made_room];
            }
            if (p > 0 && sent[p - 1][round] > at) {
                plan(LATE_PRODUCER, sent[p - 1][round] - at);
                at = sent[p - 1][round];
            }
            received[p][round] = at;
            ready_at[p] = sent[p][round] = at + times[p];
        }
    }
}

static inline void note(enum metric metric, int processor, double begin, const double *until)
{
    struct wait *wait = &waits[processor][wait_count[processor]++];

    *wait = (struct wait){metric, processor, begin, now(), until};
}

static inline void open_channel(struct channel *channel, int capacity)
{
    channel->capacity = capacity;
    if (capacity < 0)
        pgas_channel(sizeof(int), &channel->output, &channel->input);
    else
        pgas_channel_bounded(sizeof(int), (size_t)capacity, &channel->output, &channel->input);
}

/* The task of a processor that has no other one sends a message; macros, so that they stand at their lines. */
#define SEND(channel, processor)                                                                                  \
    do {                                                                                                          \
        int number_ = (channel)->next_sent++;                                                                     \
        double begin_ = (channel)->sent[number_] = now();                                                         \
        pgas_send((channel)->output, &number_);                                                                   \
        if ((channel)->capacity >= 0 && number_ >= (channel)->capacity)                                           \
            note(SLOW_CONSUMER, processor, begin_, &(channel)->received[number_ - (channel)->capacity]);          \
    } while (0)

#define RECEIVE(channel, processor)                                                       \
    do {                                                                                  \
        int number_ = -1;                                                                 \
        double begin_ = now();                                                            \
        pgas_receive((channel)->input, &number_);                                         \
        (channel)->received[number_] = now();                                             \
        (channel)->next_received++;                                                       \
        note(LATE_PRODUCER, processor, begin_, &(channel)->sent[number_]);                \
    } while (0)

/* The same where a processor has other tasks, and is not idle. */
#define RECEIVE_UNSTAMPED(channel)                \
    do {                                          \
        int number_;                              \
        pgas_receive((channel)->input, &number_); \
    } while (0)

static int by_begin(const void *a, const void *b)
{
    const struct stretch *one = a, *other = b;

    return one->begin < other->begin ? -1 : one->begin > other->begin;
}

static int by_value(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;

    return one < other ? -1 : one > other;
}

/* At each moment as many idle processors lose time as tasks could run, those first that were idle first. */
static void judge_mapping(double *lost)
{
    double times[4 * MOST];
    int count = 0, n, t;

    for (n = 0; n < readies; n++) {
        times[count++] = ready[n].begin;
        times[count++] = ready[n].end;
    }
    for (n = 0; n < idles; n++) {
        times[count++] = idle[n].begin;
        times[count++] = idle[n].end;
    }
    qsort(times, (size_t)count, sizeof *times, by_value);
    qsort(idle, (size_t)idles, sizeof *idle, by_begin);
    for (t = 0; t + 1 < count; t++) {
        double begin = times[t], end = times[t + 1];
        int tasks = 0;

        for (n = 0; n < readies; n++)
            tasks += ready[n].begin <= begin && ready[n].end >= end;
        for (n = 0; n < idles && tasks > 0; n++) {
            if (idle[n].begin <= begin && idle[n].end >= end) {
                lost[idle[n].processor] += end - begin;
                tasks--;
            }
        }
    }
}

static void print_truth(void)
{
    static double lost[METRICS][MOST_PROCESSORS];
    int m, p, n;

    for (p = 0; p < processors; p++) {
        for (n = 0; n < wait_count[p]; n++) {
            const struct wait *wait = &waits[p][n];
            double end = *wait->until < wait->end ? *wait->until : wait->end;

            if (end > wait->begin)
                lost[wait->metric][p] += end - wait->begin;
        }
    }
    judge_mapping(lost[IDLE_WITHOUT_TASK]);
    for (m = 0; m < METRICS; m++) {
        printf("TRUTH %s %.6f", metric_names[m], 1e-3 * planned[m]);
        for (p = 0; p < processors; p++)
            printf(" %.9f", lost[m][p]);
        printf("\n");
    }
}

static void begin(void *arguments);

int main(void)
{
    const char *number = getenv("PGAS_TASK_PROCESSORS");
    int failed;

    processors = number == NULL ? 1 : atoi(number);
    failed = pgas_tasks_run(begin, NULL, 0);
    print_truth();
    return failed;
}

#endif
