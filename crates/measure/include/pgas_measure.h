/* The recorder's C interface: what the decoder of GASP events, or a runtime that skips GASP, calls.
 *
 * A recorder belongs to one thread of the program, and only that thread may call these functions
 * with it. A null recorder is allowed everywhere and does nothing. Strings must stay where they
 * are, with the same contents, as long as the program runs (literals do): the recorder knows a
 * place in the source by their addresses. */
#ifndef PGAS_MEASURE_H
#define PGAS_MEASURE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pgas_recorder pgas_recorder;

/* Kinds of regions; the numbers are part of the trace format. */
enum {
  PGAS_FUNCTION = 0,
  PGAS_USER_REGION = 1,
  PGAS_MALLOC = 8,
  PGAS_REALLOC = 9,
  PGAS_MALLOC_FREE = 10,
  PGAS_NOTIFY = 16,
  PGAS_WAIT = 17,
  PGAS_BARRIER = 18,
  PGAS_FENCE = 19,
  PGAS_FORALL = 20,
  PGAS_GLOBAL_ALLOC = 24,
  PGAS_ALL_ALLOC = 25,
  PGAS_ALLOC = 26,
  PGAS_FREE = 27,
  PGAS_ALL_FREE = 28,
  PGAS_GLOBAL_LOCK_ALLOC = 29,
  PGAS_ALL_LOCK_ALLOC = 30,
  PGAS_LOCK_FREE = 31,
  PGAS_ALL_LOCK_FREE = 32,
  PGAS_LOCK = 36,
  PGAS_LOCK_ATTEMPT = 37,
  PGAS_UNLOCK = 38,
  PGAS_FLAG_WAIT = 39,
  PGAS_SIGNAL_WAIT = 40,
  PGAS_EVENT_WAIT = 41,
  PGAS_POST = 42,
  PGAS_PARTNER_SYNC = 43,
  PGAS_MEMCPY = 44,
  PGAS_MEMGET = 45,
  PGAS_MEMPUT = 46,
  PGAS_MEMSET = 47,
  PGAS_GET = 48,
  PGAS_PUT = 49,
  PGAS_NONBLOCKING_GET = 50,
  PGAS_NONBLOCKING_PUT = 51,
  PGAS_NONBLOCKING_SYNC = 52,
  PGAS_REMOTE_GET = 53,
  PGAS_REMOTE_PUT = 54,
  PGAS_ATOMIC = 55,
  PGAS_BROADCAST = 60,
  PGAS_SCATTER = 61,
  PGAS_GATHER = 62,
  PGAS_GATHER_ALL = 63,
  PGAS_EXCHANGE = 64,
  PGAS_PERMUTE = 65,
  PGAS_REDUCE = 66,
  PGAS_PREFIX_REDUCE = 67,
  PGAS_GROUP_COLLECTIVE = 70,
  PGAS_COLLECTIVE_EXIT = 72,
  PGAS_NONCOLLECTIVE_EXIT = 73,
  PGAS_INPUT_OUTPUT = 76,
  PGAS_LIBRARY_CALL = 77,
  PGAS_SEND = 78,
  PGAS_RECEIVE = 79,
  PGAS_TASK = 80,
  PGAS_TASK_CREATE = 81,
  PGAS_CHANNEL_CREATE = 82,
  PGAS_CHANNEL_SEND = 83,
  PGAS_CHANNEL_RECEIVE = 84,
  PGAS_SELECT = 85,
  PGAS_IDLE = 86,
  PGAS_CHANNEL_CLOSE = 87,
  PGAS_INPUT_DELETE = 88
};

/* Why a processor leaves a task. */
enum {
  PGAS_TASK_YIELDED = 0,
  PGAS_TASK_RECEIVES = 1, /* it begins to wait in that operation, as in the next two */
  PGAS_TASK_SENDS = 2,
  PGAS_TASK_SELECTS = 3,
  PGAS_TASK_ENDED = 4
};

/* Dependences among the members of a group in one of its collective operations. */
enum {
  PGAS_FLOW_UNKNOWN = 0,
  PGAS_FLOW_ALL = 1,       /* each for all */
  PGAS_FLOW_FROM_ROOT = 2, /* each for the root */
  PGAS_FLOW_TO_ROOT = 3    /* the root for all */
};

/* Synchronisation of a collective operation at its entry or exit. */
enum { PGAS_NOSYNC = 0, PGAS_MYSYNC = 1, PGAS_ALLSYNC = 2 };

/* The recorder of the calling thread, number `thread` of `threads`; null if nothing is to be
 * recorded. */
pgas_recorder *pgas_open(int thread, int threads);

/* How a runtime shows what recording costs: `perform` does `count` operations of a kind with this
 * recorder, from several places within one function, all the way that those of the program take;
 * `own_accesses`, where it is not null, is the number of accesses that were not reported since they
 * are to own data, which `perform` leaves as it is; `elsewhere`, where it is not null, is not 0
 * once threads or processes that the program made have done what is not reported for that reason.
 */
enum {
  PGAS_REHEARSE_PLAIN_FUNCTION = 0, /* as a program without instrumentation does it */
  PGAS_REHEARSE_FUNCTION = 1,
  PGAS_REHEARSE_PLAIN_ACCESS = 2,
  PGAS_REHEARSE_ACCESS = 3,
  PGAS_REHEARSE_PLAIN_OWN_ACCESS = 4,
  PGAS_REHEARSE_OWN_ACCESS = 5,
  /* As the others, all from one place. */
  PGAS_REHEARSE_REPEATED_FUNCTION = 6,
  PGAS_REHEARSE_REPEATED_ACCESS = 7,
  PGAS_REHEARSE_COUNTED_ACCESS = 8 /* against PGAS_REHEARSE_PLAIN_ACCESS */
};
typedef struct {
  void *context;
  void (*perform)(void *context, pgas_recorder *, int what, long count);
  const unsigned long *own_accesses;
  const unsigned long *elsewhere;
} pgas_rehearsal;
/* As pgas_open, for a runtime that can show this. */
pgas_recorder *pgas_open_rehearsed(int thread, int threads, const pgas_rehearsal *);

/* Enter of a region that is called (a function: defined) in `file` at `line`; either may be
 * unknown: null, 0. `name` is that of a function or user region, null for others. */
void pgas_enter(pgas_recorder *, int region, const char *file, int line, const char *name);
/* Notify, wait, barrier; `named` is 0 if it has no value. */
void pgas_enter_barrier(pgas_recorder *, int region, const char *file, int line, int named,
                        int value);
/* Get, put, memget, memput, memset: the thread with affinity to the shared side. */
void pgas_enter_transfer(pgas_recorder *, int region, const char *file, int line, int partner,
                         uint64_t bytes);
void pgas_enter_copy(pgas_recorder *, int region, const char *file, int line, int source,
                     int destination, uint64_t bytes);

/* The same with addresses: where the shared side lies within the shared memory of its thread, equal
 * on all threads for the same byte and one more for the next; 0 if that is not known. For runs
 * where somebody wants them: others are better off with the functions above. */
int pgas_wants_addresses(const pgas_recorder *);
void pgas_enter_transfer_at(pgas_recorder *, int region, const char *file, int line, int partner,
                            uint64_t address, uint64_t bytes);
void pgas_enter_copy_at(pgas_recorder *, int region, const char *file, int line, int source,
                        uint64_t source_address, int destination, uint64_t destination_address,
                        uint64_t bytes);

/* Samples the transfer that was entered just before: whose data it is, where (as above), and
 * whether a lock is held; `period` is the number of synchronisations of the thread so far. Returns
 * how many transfers later to call it again, that one included; the first time is any time. A
 * sample costs much more than an event, all others cost nothing. */
uint32_t pgas_sample(pgas_recorder *, int partner, uint64_t address, uint64_t bytes,
                     uint32_t period, int is_locked);
/* The same for an access that is counted and has no Enter. */
uint32_t pgas_sample_counted(pgas_recorder *, int region, const char *file, int line, int partner,
                             uint64_t address, uint64_t bytes, uint32_t period, int is_locked);
/* How many counted accesses later one is to be sampled, if none was yet. */
uint32_t pgas_next_sample_of(pgas_recorder *);
/* Single accesses that are not reported one by one, since the last call of this function and now,
 * in the innermost open region: their number, and the bytes of each. Their time is part of the
 * region's. */
void pgas_count_accesses(pgas_recorder *, int region, const char *file, int line, int partner,
                         uint64_t accesses, uint64_t bytes);
/* Calls of a function that are not reported one by one, likewise. */
void pgas_count_calls(pgas_recorder *, const char *name, const char *file, int line,
                      uint64_t calls);
/* Whether calls of a function, one of which has just ended, are only summed already, and take so
 * little time that reporting them costs more than they tell. */
int pgas_is_short_leaf(pgas_recorder *, const char *name, const char *file, int line);
/* Whether counts are wanted now: recording is on. */
int pgas_is_recording(const pgas_recorder *);
/* An array in shared memory: where it is declared, or with a null name allocated; the address of
 * its first element within the shared memory of thread 0; the size of an element; the elements of a
 * block (0: all are on one thread), and of all. */
void pgas_shared_array(pgas_recorder *, const char *name, const char *file, int line,
                       uint64_t address, uint64_t element_bytes, uint64_t block, uint64_t elements);

/* Says what runtime the program has (a string that stays), before pgas_open; an analysis may have
 * to know what it reports. */
void pgas_name_runtime(const char *name);

/* Bytes over all threads. */
void pgas_enter_allocation(pgas_recorder *, int region, const char *file, int line, uint64_t bytes);
/* `lock` is the same number on all threads. */
void pgas_enter_lock(pgas_recorder *, int region, const char *file, int line, uint64_t lock);
/* Wait for an event (a semaphore) that uses up `units` announcements, or a post that makes them.
 * `object` is the same number on all threads, and no other event's. */
void pgas_enter_object(pgas_recorder *, int region, const char *file, int line, uint64_t object,
                       uint64_t units);
/* Collective and non-collective exit. */
void pgas_enter_end(pgas_recorder *, int region, const char *file, int line, int status);

/* Exit of the innermost open region of that kind (and name). Regions inside of it that were left
 * without notice, as by longjmp, are left now. */
void pgas_exit(pgas_recorder *, int region, const char *name);
void pgas_exit_lock_attempt(pgas_recorder *, int acquired);
/* `root` is -1 for operations without one; bytes are those that this thread sent to and received
 * from others. */
void pgas_exit_collective(pgas_recorder *, int region, int root, uint64_t sent, uint64_t received,
                          int sync_in, int sync_out);

/* Calls of a communication library, which does not know lines of its callers: the kind of region,
 * the call's name in its model (a string that stays), and the address that it returns to
 * (__builtin_return_address), which gives the line after the run. The same call has the same kind
 * and name at its exit. */
typedef struct pgas_call {
  int region;
  const char *name;
  const void *caller; /* null: unknown */
} pgas_call;

/* Calls of which nothing is known but the name. */
void pgas_enter_call(pgas_recorder *, const pgas_call *);
/* Notify, wait, barrier: all threads take part. */
void pgas_enter_call_barrier(pgas_recorder *, const pgas_call *);
/* Transfers, atomic operations, waits for a flag or a signal: the thread with affinity to the
 * shared side, and where that lies, as in pgas_enter_transfer_at; 0 if it is not known. */
void pgas_enter_call_transfer(pgas_recorder *, const pgas_call *, int partner, uint64_t address,
                              uint64_t bytes);
void pgas_enter_call_copy(pgas_recorder *, const pgas_call *, int source, uint64_t source_address,
                          int destination, uint64_t destination_address, uint64_t bytes);
/* Bytes over all threads. */
void pgas_enter_call_allocation(pgas_recorder *, const pgas_call *, uint64_t bytes);
/* `lock` is the same number on all threads. */
void pgas_enter_call_lock(pgas_recorder *, const pgas_call *, uint64_t lock);
/* Waits for an event, posts: `object` is the same number on all threads, and that of no other
 * object; `units` is how many posts the wait consumes, or the post makes. */
void pgas_enter_call_object(pgas_recorder *, const pgas_call *, uint64_t object, uint64_t units);
/* Collective operation of some of the threads, PGAS_GROUP_COLLECTIVE. `group` is the same number in
 * all its `members` threads, and that of no other group; all of them call its operations in the
 * same order. `root` is a thread, or -1. Bytes are those of pgas_exit_call_collective. */
void pgas_enter_call_group(pgas_recorder *, const pgas_call *, uint64_t group, uint32_t members,
                           int flow, int root);
/* PGAS_SEND and PGAS_RECEIVE: `partner` is a thread, -1 for any; `group` is that in which the
 * message is sent. A reception says at its exit what was received. */
void pgas_enter_call_message(pgas_recorder *, const pgas_call *, int partner, uint64_t bytes,
                             uint64_t group);
void pgas_exit_call_message(pgas_recorder *, const pgas_call *, int partner, uint64_t bytes,
                            uint64_t group);
/* Collective and non-collective exit. */
void pgas_enter_call_end(pgas_recorder *, const pgas_call *, int status);

/* Exit of the innermost open call of that kind and name, as pgas_exit. */
void pgas_exit_call(pgas_recorder *, const pgas_call *);
void pgas_exit_call_lock_attempt(pgas_recorder *, const pgas_call *, int acquired);
/* As pgas_exit_collective. */
void pgas_exit_call_collective(pgas_recorder *, const pgas_call *, int root, uint64_t sent,
                               uint64_t received, int sync_in, int sync_out);

/* Tasks and channels: threads are processors. Numbers of tasks and channels are unique in the run:
 * the number in the process, and the process times 2^32.
 *
 * A stretch in which a processor runs a task: from now on, with the task's function, and file and
 * line of its creation; and its end, with one of the reasons above. Regions inside of it that are
 * still open are left with it. */
void pgas_enter_task(pgas_recorder *, const char *file, int line, const char *name, uint64_t task);
void pgas_exit_task(pgas_recorder *, int reason);
/* The time now, for those of the next functions that record an operation when it is over: all of
 * it, from `began` on. Nothing may have been recorded in between. */
uint64_t pgas_record_clock(const pgas_recorder *);
/* Creation of a task: its function, and the processor that is to run it. */
void pgas_record_task_create(pgas_recorder *, uint64_t began, const char *file, int line,
                             const char *name, uint64_t task, uint32_t processor);
/* Creation of a channel that takes `capacity` messages before senders wait; UINT64_MAX: they never
 * do. */
void pgas_record_channel_create(pgas_recorder *, uint64_t began, const char *file, int line,
                                uint64_t channel, uint64_t capacity);
/* PGAS_CHANNEL_SEND, PGAS_CHANNEL_RECEIVE: number of the message in the channel, from 0; its bytes;
 * messages in the channel afterwards. */
void pgas_record_channel_message(pgas_recorder *, int region, uint64_t began, const char *file,
                                 int line, uint64_t channel, uint64_t message, uint64_t bytes,
                                 uint64_t queued);
/* PGAS_CHANNEL_SEND, PGAS_CHANNEL_RECEIVE: the task begins to wait in it. PGAS_SELECT: the channel
 * that it chose. PGAS_CHANNEL_CLOSE, PGAS_INPUT_DELETE. */
void pgas_record_channel_operation(pgas_recorder *, int region, uint64_t began, const char *file,
                                   int line, uint64_t channel);
/* A select over `inputs` channels begins to wait. */
void pgas_record_select_wait(pgas_recorder *, uint64_t began, const char *file, int line,
                             uint32_t inputs);

/* Enter and exit of a function by its address; its name and place are found after the run. The
 * second form also takes the return address, as -finstrument-functions reports it: it distinguishes
 * the levels of a recursion when longjmp leaves some of them. The exit of a function that is not
 * open does nothing. */
void pgas_enter_function(pgas_recorder *, const void *function);
void pgas_exit_function(pgas_recorder *, const void *function);
void pgas_enter_function_of(pgas_recorder *, const void *function, const void *caller);
void pgas_exit_function_of(pgas_recorder *, const void *function, const void *caller);

/* Where a function of the program is defined; `is_last` with the last one, after which all are
 * written. */
void pgas_function_lines(pgas_recorder *, const char *name, const char *file, int line,
                         int end_line, int is_last);

/* The number of open regions, and Exits of all beyond that number: of what longjmp has left. */
size_t pgas_open_regions(pgas_recorder *);
void pgas_return_to(pgas_recorder *, size_t regions);

/* Switches recording on or off for this thread; returns what it was. */
int pgas_control(pgas_recorder *, int on);

/* Words in the shared memory of each thread, PGAS_CELLS of them, all 0 at first. All threads must
 * see the writes of one in their order. */
#define PGAS_CELLS 16
typedef struct pgas_cells {
  uint64_t (*read)(int thread, int cell);
  void (*write)(int thread, int cell, uint64_t value);
} pgas_cells;

/* Compares the clocks of the nodes that the program runs on. All threads call it at about the same
 * time, also those whose recorder is null: with `round` 0 when the program begins and 1 when it
 * ends. Returns 0 if the second time is not needed: all threads are on one node, or nothing is
 * recorded. */
int pgas_compare_clocks(pgas_recorder *, int thread, int threads, int round,
                        const pgas_cells *cells);

/* The process is being ended, by this signal or, if it is 0, by another process of the program:
 * what is recorded from here on is not the program's. Handlers of signals may call it. */
void pgas_note_signal(int signal);

/* There is no memory for something at the program's start, with this consequence: tells the user,
 * if the program is to be recorded. */
void pgas_no_memory(const char *consequence);

/* In a process that records nothing itself: completes the streams of others that have ended without
 * doing so. */
void pgas_collect(void);

/* Writes everything and ends the recording of this thread. */
void pgas_finish(pgas_recorder *);

#ifdef __cplusplus
}
#endif
#endif
