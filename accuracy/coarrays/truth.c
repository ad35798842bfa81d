/*
 * Stamps and losses for programs in Fortran, which say before and after each operation that it begins and ends. Image 1 is
 * thread 0. All of it is that of the other models.
 */
#define _GNU_SOURCE

static int this_thread, all_threads;

#define MYTHREAD this_thread
#define THREADS all_threads
#include "../processes.h"

/* Fortran has no names for parameters of C: the interfaces are in truth.h. */

/* The program's end comes when the library has closed down, and nothing is recorded any more. */
static void print_at_exit(void)
{
    judge();
    fflush(stdout);
}

void truth_begin(int image, int images)
{
    this_thread = image - 1;
    all_threads = images;
    map_stamps();
}

void truth_forget_file(void) { forget_file(); }

void truth_end(void)
{
    if (MYTHREAD == 0)
        atexit(print_at_exit);
}

void truth_work(double milliseconds) { work(milliseconds); }
void truth_hold_up(double after, double until) { hold_up(after, until); }

void truth_plan(const char *name, double milliseconds)
{
    int m = 0;

    while (m < METRICS && strcmp(name, metric_names[m]) != 0)
        m++;
    if (m == METRICS) {
        fprintf(stderr, "no pattern '%s'\n", name);
        abort();
    }
    plan(m, milliseconds);
}

/* Names of at most PLACES - 1 places, by number from 1. */
void truth_name_place(int number, const char *name)
{
    static const char *names[PLACES + 1] = {""};

    names[number] = strdup(name);
    place_names = names;
}

void truth_set_place(int number) { place = number; }

void truth_before_barrier(void) { before_notify(0); }
void truth_after_barrier(void) { after_wait(); }

void truth_before_broadcast(int root) { before_collective(BROADCAST_KIND, root - 1, MYSYNC, MYSYNC); }
void truth_before_reduce(int root) { before_collective(REDUCE_KIND, root - 1, MYSYNC, MYSYNC); }
void truth_before_gather_all(void) { before_collective(GATHER_ALL_KIND, -1, MYSYNC, MYSYNC); }
void truth_before_allocation(void) { before_collective(ALLOCATION_KIND, -1, MYSYNC, MYSYNC); }
void truth_after_collective(void) { after_collective(); }

void truth_before_lock(int lock) { before_lock(lock, 0); }
void truth_after_lock(void) { after_lock(); }
void truth_before_attempt(int lock) { before_lock(lock, 1); }
void truth_after_attempt(int got) { attempted(got); }
void truth_before_unlock(int lock) { before_unlock(lock); }

/* Events are those of one image, so they have the number of their image. */
void truth_before_event_wait(int units) { before_waiting(&own.take[own.takes], own.takes, MYTHREAD, units); }
void truth_after_event_wait(void) { own.take[own.takes++].end = now(); }

void truth_before_post(int image)
{
    before_posting(&own.post[own.posts], own.posts, image - 1, 1);
    own.posts++;
}

static unsigned long long members(int count, const int *images)
{
    unsigned long long members = 0;

    while (count > 0)
        members |= 1ull << (images[--count] - 1);
    return members;
}

/* With these images; none: with all. */
void truth_before_sync_images(int count, const int *images)
{
    before_meeting(&own.meeting[own.meetings], own.meetings, count == 0 ? ~0ull : members(count, images), -1);
}

void truth_after_sync_images(void) { own.meeting[own.meetings++].leave = now(); }

/* The images of a team by their numbers among all; root 0: none. */
void truth_before_group(int count, const int *images, int root)
{
    before_meeting(&own.group_operation[own.group_operations], own.group_operations, members(count, images), root - 1);
}

void truth_after_group(void) { own.group_operation[own.group_operations++].leave = now(); }
