/* Declarations that the runtime's files share. Names of the runtime begin with upcr_; those that
 * only the runtime uses are hidden, so that a program cannot meet them. Functions that the program
 * calls are in include/, those that only generated code calls are in include/pgas_upcr.h. */
#ifndef UPCR_RUNTIME_H
#define UPCR_RUNTIME_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "crash.h"
#include "pgas_upcr.h"

/* 0: the number of threads is chosen at start. Comes with the program, from the driver. */
extern const int upcr_static_threads;

#define UPCR_HIDDEN __attribute__((visibility("hidden")))
/* A function of the library that a program may define itself. */
#define UPCR_LIBRARY __attribute__((weak))
#define UPCR_MAX_THREADS 1024
#define UPCR_LINE 64
#define UPCR_ALIGNED __attribute__((aligned(UPCR_LINE)))

/* ---- Waiting (wait.c) ---- */

/* A number that its owner lets grow and others wait for; numbers may wrap around. */
struct upcr_flag {
  _Atomic uint32_t value;
  _Atomic uint32_t sleepers;
};

UPCR_HIDDEN void upcr_flag_set(struct upcr_flag *flag, uint32_t value);
/* Event that a sleeping thread waits for. */
enum upcr_reason {
  UPCR_FOR_BARRIER,
  UPCR_FOR_PUBLICATION,
  UPCR_FOR_COLLECTIVE,
  UPCR_FOR_LOCK,
  UPCR_FOR_SEMAPHORE,
  UPCR_FOR_MESSAGE /* of another node */
};
/* Returns once the flag has reached `value`. */
UPCR_HIDDEN void upcr_flag_await(struct upcr_flag *flag, uint32_t value, enum upcr_reason reason);
static inline int upcr_reached(uint32_t have, uint32_t want) { return (int32_t)(have - want) >= 0; }

/* Returns when the word differs or was woken, at times earlier; after upcr_sleep_begin
 * (deadlock.c). */
UPCR_HIDDEN void upcr_sleep(_Atomic uint32_t *word, uint32_t while_equal);
/* Around sleeping: what this thread waits for, so that threads that all wait for each other are
 * noticed. `object` is the flag, or the lock; `value` what the flag must reach. */
UPCR_HIDDEN void upcr_sleep_begin(enum upcr_reason reason, const void *object, uint32_t value);
UPCR_HIDDEN void upcr_sleep_end(void);
/* Number of a process's pthreads, -1 if there is no such process. */
UPCR_HIDDEN int upcr_tasks_of(int process);
/* Waits at most this long, without limit if it is 0. */
UPCR_HIDDEN void upcr_futex_wait(_Atomic uint32_t *word, uint32_t while_equal, int seconds);
UPCR_HIDDEN void upcr_futex_wake(_Atomic uint32_t *word, int how_many);
#ifdef UPCR_MPI
/* Handles messages that have come. */
UPCR_HIDDEN void upcr_network_look(void);
/* Does so for a while, until the flag has reached the value; whether it has. */
UPCR_HIDDEN int upcr_poll_until(struct upcr_flag *flag, uint32_t value);
#endif
/* Once in a loop that looks for something of another thread. */
static inline void upcr_pause(void) {
#ifdef UPCR_MPI
  upcr_network_look();
#endif
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}
/* How often to look before going to sleep; 0 where threads share cores. */
extern UPCR_HIDDEN int upcr_spins;
/* `sharing` threads share these cores. */
UPCR_HIDDEN void upcr_wait_start(int cores, int sharing);
/* Above 0 while this thread only waits, so that a signal may end it in an orderly way. A pthread of
 * the program's own may wait too. */
extern UPCR_HIDDEN __thread volatile int upcr_waiting;
/* Cores that the program may use, by affinity and by the quota of its control group; at least 1. */
UPCR_HIDDEN int upcr_cores(void);

/* ---- Loops of the program's own that wait (spin_yield.c) ---- */

UPCR_HIDDEN void upcr_look_start(void);
/* Gives the core away where another thread wants it. */
UPCR_HIDDEN void upcr_let_others_run(void);

/* A lock for the runtime's own short sections, between processes. */
struct upcr_guard {
  _Atomic uint32_t state;
};
UPCR_HIDDEN void upcr_guard_enter(struct upcr_guard *guard);
/* Whether it was free, and is taken now. */
UPCR_HIDDEN int upcr_guard_try(struct upcr_guard *guard);
UPCR_HIDDEN void upcr_guard_leave(struct upcr_guard *guard);
#ifdef UPCR_MPI
/* Guards that the calling pthread is in, or about to enter. */
extern UPCR_HIDDEN __thread volatile int upcr_guards_held;
#endif

/* ---- Barriers (barrier.c) ---- */

/* The functions of upc_io.h: X(kind, name). */
#define UPCR_IO_FUNCTIONS(X)                                      \
  X(FOPEN, "upc_all_fopen")                                       \
  X(FCLOSE, "upc_all_fclose")                                     \
  X(FSYNC, "upc_all_fsync")                                       \
  X(FSEEK, "upc_all_fseek")                                       \
  X(FSET_SIZE, "upc_all_fset_size")                               \
  X(FGET_SIZE, "upc_all_fget_size")                               \
  X(FPREALLOCATE, "upc_all_fpreallocate")                         \
  X(FCNTL, "upc_all_fcntl")                                       \
  X(FREAD_LOCAL, "upc_all_fread_local")                           \
  X(FREAD_SHARED, "upc_all_fread_shared")                         \
  X(FWRITE_LOCAL, "upc_all_fwrite_local")                         \
  X(FWRITE_SHARED, "upc_all_fwrite_shared")                       \
  X(FREAD_LIST_LOCAL, "upc_all_fread_list_local")                 \
  X(FREAD_LIST_SHARED, "upc_all_fread_list_shared")               \
  X(FWRITE_LIST_LOCAL, "upc_all_fwrite_list_local")               \
  X(FWRITE_LIST_SHARED, "upc_all_fwrite_list_shared")             \
  X(FREAD_LOCAL_ASYNC, "upc_all_fread_local_async")               \
  X(FREAD_SHARED_ASYNC, "upc_all_fread_shared_async")             \
  X(FWRITE_LOCAL_ASYNC, "upc_all_fwrite_local_async")             \
  X(FWRITE_SHARED_ASYNC, "upc_all_fwrite_shared_async")           \
  X(FREAD_LIST_LOCAL_ASYNC, "upc_all_fread_list_local_async")     \
  X(FREAD_LIST_SHARED_ASYNC, "upc_all_fread_list_shared_async")   \
  X(FWRITE_LIST_LOCAL_ASYNC, "upc_all_fwrite_list_local_async")   \
  X(FWRITE_LIST_SHARED_ASYNC, "upc_all_fwrite_list_shared_async") \
  X(FWAIT_ASYNC, "upc_all_fwait_async")                           \
  X(FTEST_ASYNC, "upc_all_ftest_async")

/* Kind of operation at which a thread arrives; all threads must arrive at the same. */
enum upcr_kind {
  UPCR_AT_BARRIER,
  UPCR_AT_START,
  UPCR_AT_END,
  UPCR_AT_BROADCAST,
  UPCR_AT_SCATTER,
  UPCR_AT_GATHER,
  UPCR_AT_GATHER_ALL,
  UPCR_AT_EXCHANGE,
  UPCR_AT_PERMUTE,
  UPCR_AT_REDUCE,
  UPCR_AT_PREFIX_REDUCE,
  UPCR_AT_SORT,
  UPCR_AT_VALUES,
  UPCR_AT_ALL_ALLOC,
  UPCR_AT_ALL_FREE,
  UPCR_AT_ALL_LOCK_ALLOC,
  UPCR_AT_ALL_LOCK_FREE,
#define UPCR_KIND(kind, name) UPCR_AT_##kind,
  UPCR_IO_FUNCTIONS(UPCR_KIND)
#undef UPCR_KIND
      UPCR_KINDS
};
extern UPCR_HIDDEN const char *const upcr_kind_names[UPCR_KINDS];

/* A string of the executable in a form that other processes with the same executable can read, null
 * for none: over MPI it may have been loaded elsewhere there. */
#ifdef UPCR_MPI
UPCR_HIDDEN const char *upcr_note_of(const char *text);
UPCR_HIDDEN const char *upcr_text_of(const char *note);
#else
static inline const char *upcr_note_of(const char *text) { return text; }
static inline const char *upcr_text_of(const char *note) { return note; }
#endif

struct upcr_arrival {
  _Atomic uint32_t epoch; /* of the arrival that this describes */
  uint8_t kind;
  uint8_t named;
  int value;
  int line;
  const char *file;
  int status; /* of exit, at UPCR_AT_END */
} UPCR_ALIGNED;

/* A node of the tree by which arrivals are counted where not every thread looks at every other. */
struct upcr_node {
  _Atomic uint32_t arrived;
  uint32_t
      representative[2]; /* of an even, an odd epoch: a thread that arrived like all those below */
} UPCR_ALIGNED;

UPCR_HIDDEN void upcr_barrier_start(void);
UPCR_HIDDEN void upcr_synchronize(enum upcr_kind kind, int status);
/* At a collective allocation or release: the same, unless the person who starts the program wants
 * none, or it is between upc_notify and upc_wait, where nothing collective belongs. */
UPCR_HIDDEN void upcr_keep_together(enum upcr_kind kind);
/* Whether the barrier of this number is complete. */
UPCR_HIDDEN int upcr_barrier_is_complete(uint32_t epoch);
/* In words, what a thread has arrived at. */
UPCR_HIDDEN void upcr_describe_arrival(char *text, size_t size, int thread, uint32_t epoch);

/* Status that a thread ended with, 0 if it has arrived at anything else than its end. */
UPCR_HIDDEN int upcr_status_of_arrival(int thread, uint32_t epoch);

/* ---- Locks (lock.c) ---- */

/* Thread that holds a lock, -1 if it can be taken. */
UPCR_HIDDEN int upcr_lock_holder(const void *lock);
/* The thread for which this process does something with a heap or a lock. */
#ifdef UPCR_MPI
extern UPCR_HIDDEN __thread int upcr_acting_for; /* thread + 1, 0 for its own */
static inline int upcr_actor(void) {
  return upcr_acting_for != 0 ? upcr_acting_for - 1 : upcr_mythread;
}
#else
static inline int upcr_actor(void) { return upcr_mythread; }
#endif
/* How many collectives this thread knows to be finished on all threads. */
extern UPCR_HIDDEN uint32_t upcr_collectives_finished;
/* How many collectives this thread has begun. */
extern UPCR_HIDDEN uint32_t upcr_collectives;

/* ---- Settings (settings.c) ---- */

/* Takes what is for the runtime out of the program's arguments. */
UPCR_HIDDEN void upcr_settings_start(int *argc, char **argv);
/* Number of threads, or bytes of each thread's shared heap, that the user asks for, 0 if nowhere,
 * and where. Ends the program with status 2 where that cannot be understood. */
UPCR_HIDDEN int upcr_threads_asked_for(const char **from);
UPCR_HIDDEN unsigned long upcr_heap_asked_for(const char **from);
/* Thread 0's value, where each thread has settings of its own. All threads ask together. */
#ifdef UPCR_MPI
UPCR_HIDDEN unsigned long upcr_agree(unsigned long value);
#else
static inline unsigned long upcr_agree(unsigned long value) { return value; }
#endif
/* Whether threads wait for each other in collective allocations. */
extern UPCR_HIDDEN int upcr_allocations_synchronize;

/* ---- Memory (segment.c, heap.c) ---- */

/* Offsets in every thread's segment: static objects, then the thread's own heap, then the common
 * heap. */
extern UPCR_HIDDEN unsigned long upcr_local_heap;
extern UPCR_HIDDEN unsigned long upcr_common_heap;
extern UPCR_HIDDEN unsigned long upcr_heap_bytes; /* of each */
/* Gives static objects their places and maps the segments. */
UPCR_HIDDEN void upcr_segments_start(void);
/* Maps `bytes` bytes of the segment of each thread that can be reached so. Returns an errno, EEXIST
 * where something else is there. */
UPCR_HIDDEN int upcr_map_segments(unsigned long bytes);
UPCR_HIDDEN void upcr_run_initialisers(void);
/* Settles what divides by the number of threads. */
UPCR_HIDDEN void upcr_set_threads(int threads);

static inline upcr_addr_t upcr_segment(int thread) {
  return UPCR_BASE + ((unsigned long)thread << UPCR_SHIFT);
}
/* Only of what is mapped here; over MPI, that is what is on this node. */
static inline void *upcr_local(upcr_addr_t addr) { return (void *)addr; }

/* Shared memory as bytes, wherever it is. Writes may still be under way afterwards. */
#ifdef UPCR_MPI
UPCR_HIDDEN void upcr_get_bytes(void *to, upcr_addr_t from, unsigned long n);
UPCR_HIDDEN void upcr_put_bytes(upcr_addr_t to, const void *from, unsigned long n);
UPCR_HIDDEN void upcr_set_bytes(upcr_addr_t to, int c, unsigned long n);
UPCR_HIDDEN void upcr_copy_bytes(upcr_addr_t to, upcr_addr_t from, unsigned long n);
/* The threads whose memory is mapped here: from the first to before the end. */
UPCR_HIDDEN int upcr_near_first(void);
UPCR_HIDDEN int upcr_near_end(void);
UPCR_HIDDEN int upcr_are_on_one_node(int one, int other);
/* Also private memory, known by its address. */
UPCR_HIDDEN void upcr_move_bytes(void *to, const void *from, unsigned long n);
/* Whether that is memory of another node. */
UPCR_HIDDEN int upcr_is_far(const void *at);
/* `n` bytes at this offset of each segment, in the order of threads. */
UPCR_HIDDEN void upcr_get_from_all(void *to, unsigned long offset, unsigned long n);
/* Memory of thread 0's node. */
UPCR_HIDDEN upcr_addr_t upcr_far_allocate(unsigned long bytes, const char *call);
UPCR_HIDDEN void upcr_far_free(upcr_pts p, const char *call);
UPCR_HIDDEN int upcr_far_is_last_to_free(upcr_pts p, const char *call);
#else
static inline int upcr_is_near(upcr_addr_t addr) { return addr != 0; }
static inline void upcr_get_bytes(void *to, upcr_addr_t from, unsigned long n) {
  memcpy(to, upcr_local(from), n);
}
static inline void upcr_put_bytes(upcr_addr_t to, const void *from, unsigned long n) {
  memcpy(upcr_local(to), from, n);
}
static inline void upcr_set_bytes(upcr_addr_t to, int c, unsigned long n) {
  memset(upcr_local(to), c, n);
}
static inline void upcr_copy_bytes(upcr_addr_t to, upcr_addr_t from, unsigned long n) {
  memcpy(upcr_local(to), upcr_local(from), n);
}
static inline int upcr_near_first(void) { return 0; }
static inline int upcr_near_end(void) { return upcr_threads; }
static inline int upcr_are_on_one_node(int one, int other) {
  (void)one;
  (void)other;
  return 1;
}
static inline void upcr_move_bytes(void *to, const void *from, unsigned long n) {
  memcpy(to, from, n);
}
static inline int upcr_is_far(const void *at) {
  (void)at;
  return 0;
}
#endif

#define UPCR_FIRST_LEVEL 37
#define UPCR_SECOND_LEVEL 16
/* One heap: blocks of free memory by size, in two levels of classes. */
struct upcr_arena {
  struct upcr_guard guard;
  unsigned long end;  /* offset up to which blocks have been made; beyond, memory is untouched */
  unsigned long last; /* offset of the last block, 0 if there is none */
  uint64_t levels;
  uint16_t classes[UPCR_FIRST_LEVEL];
  uint32_t heads[UPCR_FIRST_LEVEL][UPCR_SECOND_LEVEL];
} UPCR_ALIGNED;

UPCR_HIDDEN void upcr_heap_start(void);
/* Zeroed memory, never null unless `bytes` is 0; `call` and its arguments are for the message when
 * none is left. */
UPCR_HIDDEN upcr_addr_t upcr_heap_local(int thread, unsigned long bytes, const char *call);
UPCR_HIDDEN upcr_addr_t upcr_heap_common(unsigned long bytes, const char *call);
UPCR_HIDDEN void upcr_heap_free(upcr_pts p, const char *call);
/* Counts calls that free the same block together; whether this was the last one. Says so if the
 * block is not allocated. */
UPCR_HIDDEN int upcr_heap_is_last_to_free(upcr_pts p, const char *call);

/* Thread 0 publishes its argument; the others get what it published in the same call. Only they
 * wait. */
UPCR_HIDDEN upcr_addr_t upcr_publish(upcr_addr_t value);

/* Message of thread 0 to the others in upc_all_alloc and upc_all_lock_alloc, in the order of the
 * calls. */
struct upcr_publication {
  struct upcr_flag published; /* 1 when `next` is there */
  _Atomic uint32_t leavers;   /* threads that have gone on to `next` */
  upcr_addr_t value;
  struct upcr_publication *next;
};

/* ---- Computation (reduce.c) ---- */

/* Partial results are kept for this many collectives. */
#define UPCR_PARTIALS 4
struct upcr_partial {
  struct upcr_flag ready;
  int present;                                          /* a thread may have no element */
  unsigned char value[16] __attribute__((aligned(16))); /* of whatever type */
} UPCR_ALIGNED;

/* Order before and after a strict operation. */
static inline void upcr_strict_fence(void) {
  upcr_settle_far();
  atomic_thread_fence(memory_order_seq_cst);
}

/* ---- Atomic operations (atomic.c) ---- */

/* Locks for variables that the processor has no atomic operations for, by cache line of the
 * variable. */
#define UPCR_ATOMIC_GUARDS 64
struct upcr_atomic_guard {
  struct upcr_guard guard;
} UPCR_ALIGNED;
/* Bytes of the variables of an atomic domain. */
UPCR_HIDDEN unsigned long upcr_domain_size(upcr_pts domain);

/* ---- Semaphores (semaphore.c) ---- */

UPCR_HIDDEN void upcr_semaphore_post(upcr_pts semaphore, unsigned long n, const char *call);
/* Of a semaphore of this node. Whether its value was lowered; one that waits and gets nothing must
 * be served later. */
UPCR_HIDDEN void upcr_semaphore_post_here(upcr_pts semaphore, unsigned long n, const char *call);
UPCR_HIDDEN int upcr_semaphore_take(upcr_pts semaphore, unsigned long n, int waits,
                                    const char *call);
UPCR_HIDDEN void upcr_semaphore_free(upcr_pts semaphore);
#ifdef UPCR_MPI
UPCR_HIDDEN int upcr_semaphore_take_late(upcr_addr_t semaphore, unsigned long n);
/* Of one of another node. */
UPCR_HIDDEN void upcr_far_post(upcr_pts semaphore, unsigned long n, const char *call);
UPCR_HIDDEN int upcr_far_take(upcr_pts semaphore, unsigned long n, int waits, const char *call);
UPCR_HIDDEN void upcr_far_free_semaphore(upcr_pts semaphore);
/* The semaphore's value has been raised, and threads of other nodes wait for it. */
UPCR_HIDDEN void upcr_serve_far_waiters(upcr_addr_t semaphore);
#endif
/* Whether a semaphore has this value. */
UPCR_HIDDEN int upcr_semaphore_has(const void *semaphore, uint32_t value);

/* ---- The control block ---- */

#define UPCR_ASLEEP_PLACES 8
/* Reason for a thread's sleep. */
struct upcr_asleep {
  _Atomic uint32_t changes; /* odd while it sleeps */
  enum upcr_reason reason;
  uint32_t value;
  const void *object;
  /* Where the program called us: return addresses, innermost first, the runtime's own among them.
   */
  uintptr_t places[UPCR_ASLEEP_PLACES];
  int count;
};

/* Object that a loop of the program waits for (inst_flags.c). */
struct upcr_flag_slot {
  _Atomic upcr_addr_t addr; /* 0: it does not wait */
  _Atomic unsigned long bytes;
};
/* Numbers of threads that do, for those that write: of all, and by address (pgas_upcr_flags.h). */
struct upcr_flags {
  volatile unsigned counts[16 + 64];
} UPCR_ALIGNED;

/* State of one thread that the others read. */
struct upcr_thread {
  struct upcr_arrival arrivals[2];        /* of an even, an odd epoch */
  struct upcr_flag entered UPCR_ALIGNED;  /* collectives */
  struct upcr_flag finished UPCR_ALIGNED; /* collectives */
  struct upcr_partial partials[UPCR_PARTIALS];
  struct upcr_arena arena;
  struct upcr_asleep asleep;
  struct upcr_flag_slot flag;
  int process;
  struct upcr_crash crash;
  _Atomic int leaving;    /* it is in exit(), and only needs time */
  _Atomic int passed_end; /* the final barrier lies behind it */
#ifdef UPCR_MPI
  struct upcr_flag granted UPCR_ALIGNED; /* locks that it has got after waiting for them */
  int next_waiter;                       /* thread + 1 behind it in a lock's queue, 0 for none */
  /* For a tool that compares clocks (cells.c). */
#define UPCR_CELLS 16
  _Atomic uint64_t cells[UPCR_CELLS];
  _Atomic uint64_t awake_until; /* network.c */
  int tasks_at_start;           /* pthreads of the process before the program's code ran */
#endif
};

#ifdef UPCR_MPI
/* The nodes' part of a barrier: in round r, a node tells the one 2^r further that it, and those
 * that it has heard of, are there (D. Hensgen and others, Two algorithms for barrier
 * synchronization, 1988). */
#define UPCR_ROUNDS 10
struct upcr_meeting {
  _Atomic uint32_t arrived; /* threads of this node */
  struct upcr_guard guard;
  /* Of even, of odd epochs. */
  struct upcr_meeting_phase {
    int is_here;           /* all threads of this node are */
    int round;             /* that this node is in; what it sends in it has been sent */
    unsigned heard;        /* a bit for each round */
    int told[UPCR_ROUNDS]; /* the thread that stands for those heard of */
    int representative;    /* of all so far */
  } phases[2];
};
#endif

struct upcr_control {
  struct upcr_flag released UPCR_ALIGNED; /* barrier epochs that are complete */
  _Atomic int ending UPCR_ALIGNED;        /* the program ends at once; see `status` */
  _Atomic int status;
  _Atomic int complained; /* upcr_complain has said something */
  struct upcr_arena common;
  struct upcr_publication first_publication;
  struct upcr_atomic_guard atomic_guards[UPCR_ATOMIC_GUARDS];
  struct upcr_flags flags;
#ifdef UPCR_MPI
  struct upcr_flag broadcasts[UPCR_PARTIALS]; /* that came from another node, by their number */
  struct upcr_meeting meeting;
  _Atomic int is_end_spread; /* all processes have been told that the program ends */
  struct upcr_publication *last_publication;
#else
  struct upcr_node nodes[UPCR_MAX_THREADS / 4];
#endif
  struct upcr_thread threads[];
};
extern UPCR_HIDDEN struct upcr_control *upcr_control;

/* ---- Ends (exit.c), messages (message.c) ---- */

/* Says on standard error what is wrong, unless the program ends already, and ends all threads with
 * status 1. */
UPCR_HIDDEN void upcr_fatal(const char *format, ...)
    __attribute__((noreturn, format(printf, 1, 2)));
/* Says on standard error what is wrong. */
UPCR_HIDDEN void upcr_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* For what is wrong but can be left undone, as programs do that free a lock on every thread at
 * their end: the first time in a program says so and returns; ends the program as upcr_fatal does
 * where it is checked. */
UPCR_HIDDEN void upcr_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* " (file:line)", or nothing where the file is unknown. Lives until the eighth next call. */
UPCR_HIDDEN const char *upcr_at(const char *file, int line);
/* Whether this thread is the one that ends the program, with this status; if not, it has begun to
 * end before. */
UPCR_HIDDEN int upcr_claim_end(int status);
/* Notes that the program ends, with this status; whether it was not ending yet. */
UPCR_HIDDEN int upcr_note_end(int status);
/* Ends this thread; the supervisor ends the others. After upcr_claim_end. */
UPCR_HIDDEN void upcr_leave(void) __attribute__((noreturn));
/* In a thread, before the program's code. */
UPCR_HIDDEN void upcr_exit_start(void);
/* Writes what is in the buffer of standard output, without the library's help, which may just be at
 * work on it. */
UPCR_HIDDEN void upcr_write_printed(void);
#ifdef UPCR_MPI
/* Waits for non-blocking transfers that the program has not waited for. */
UPCR_HIDDEN void upcr_finish_transfers(void);
/* Before this thread leaves: others may use the network. Does not return where the calling pthread
 * is not the one that can leave. */
UPCR_HIDDEN void upcr_leave_network(void);
/* Whether it is in a guard, as while it sends or receives, and must come to an end of it. */
UPCR_HIDDEN int upcr_must_not_leave(void);
/* Ends the process without this pthread, which is in the middle of something. */
UPCR_HIDDEN void upcr_end_from_progress_thread(void) __attribute__((noreturn));
/* In a handler of a signal that this thread dies of, once what is known of it is noted. */
UPCR_HIDDEN void upcr_await_crash_report(void);
#endif
/* Has whoever watches over this thread look at it now: its end has begun. For handlers of signals,
 * too. */
UPCR_HIDDEN void upcr_wake_supervisor(void);
/* The system's. */
struct sigaction;
UPCR_HIDDEN int upcr_sigaction(int signal, const struct sigaction *action,
                               struct sigaction *before);
/* Has a crash of this thread noted (crash.c). */
UPCR_HIDDEN void upcr_crash_start(void);
#define UPCR_END_SIGNAL (SIGRTMAX - 3)

/* The supervising parent (supervise.c): returns the program's exit status. */
UPCR_HIDDEN int upcr_supervise(const int *processes, int count);
UPCR_HIDDEN void upcr_supervise_start(void);
/* In a forked thread: gives back what the parent had changed for itself. */
UPCR_HIDDEN void upcr_supervise_forked(void);

/* ---- Instrumentation (inst.c, only in instrumented programs) ---- */

struct upcr_hooks {
  void (*start)(int *argc, char ***argv);
  void (*collective_exit_start)(int status);
  void (*collective_exit_finish)(int status);
  /* Whether the tool is being called right now. */
  int (*in_tool)(void);
  /* Has this thread, interrupted outside of the tool, end with its next event. */
  void (*end_soon)(void);
  /* A signal, or 0 for another thread, ends the program now: what follows is not the program's. For
   * handlers of signals. */
  void (*note_signal)(int signal);
  /* All threads have ended, some of them without having written what the tool had: called by the
   * supervisor. */
  void (*collect)(void);
};
extern const struct upcr_hooks upcr_instrumentation __attribute__((weak));

/* ---- Checks (check_map.c, only in programs that are checked) ---- */

struct upcr_checks {
  /* Bytes that are left free behind every object. */
  unsigned long red_zone;
  void (*start)(void);
  /* Memory for `blocks` blocks of `bytes` bytes was allocated; `call` is the function of the
   * library. */
  void (*allocated)(upcr_addr_t addr, unsigned long blocks, unsigned long bytes, int is_lock,
                    const char *call);
  /* Frees it, after a while; instead of upcr_heap_free. */
  void (*freeing)(upcr_pts p, int is_lock, const char *call);
};
extern const struct upcr_checks upcr_checks __attribute__((weak));
static inline unsigned long upcr_red_zone(void) {
  return &upcr_checks != NULL ? upcr_checks.red_zone : 0;
}

/* That a function of upc_io.h begins or ends. */
UPCR_HIDDEN void upcr_report_io(int is_end, const char *function, const char *file, int line);

/* Functions of the library that the runtime uses itself. */
upcr_pts upc_global_lock_alloc(void);
void upc_lock(upcr_pts lock);
void upc_unlock(upcr_pts lock);
void upc_lock_free(upcr_pts lock);

/* The work of upc_global_exit after it was reported. */
UPCR_HIDDEN void upcr_global_exit(int status) __attribute__((noreturn));

#endif
