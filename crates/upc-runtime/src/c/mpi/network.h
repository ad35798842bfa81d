/* Active messages between the processes of a program on several nodes: a message names a handler,
 * which the receiving process runs. Each process has a thread that answers while the program
 * computes (progress.c); whoever waits answers, too. */
#ifndef UPCR_NETWORK_H
#define UPCR_NETWORK_H

#include <time.h>

#include "../../transport/transport.h"
#include "runtime.h"

/* The processes that the launcher has started; set before anything else runs. */
extern UPCR_HIDDEN struct upcr_world upcr_world;

static inline int upcr_is_near_thread(int thread) {
  return (unsigned)(thread - upcr_world.node_first) < (unsigned)upcr_world.node_threads;
}
static inline int upcr_is_leader(void) { return upcr_mythread == upcr_world.node_first; }
UPCR_HIDDEN int upcr_node_of(int thread);

/* ---- Messages (network.c) ---- */

enum upcr_message_kind {
  UPCR_REPLY, /* to a request that waits: `token` */
  UPCR_ACK,   /* of a write that nobody waits for */
  UPCR_GET,
  UPCR_GET_LINE,
  UPCR_LINE_IS_HERE,
  UPCR_PUT,
  UPCR_PUT_LINES,
  UPCR_PUT_LARGE,
  UPCR_SET,
  UPCR_COPY,
  UPCR_ATOMIC,
  UPCR_BARRIER,
  UPCR_PUBLISH,
  UPCR_LOCK,
  UPCR_UNLOCK,
  UPCR_GRANT,
  UPCR_LOCK_FREE,
  UPCR_ALLOCATE,
  UPCR_FREE,
  UPCR_COUNT_FREE,
  UPCR_SEMAPHORE,
  UPCR_PARTIALS_OF_NODE,
  UPCR_BROADCAST,
  UPCR_BROADCAST_SEGMENT,
  UPCR_READ_CELL,
  UPCR_WRITE_CELL,
  UPCR_END,
  UPCR_LEFT,
  UPCR_MESSAGE_KINDS
};

#define UPCR_MESSAGE_WORDS 5
struct upcr_message {
  uint16_t kind;
  uint16_t is_awake; /* whether the sender goes on looking for messages for a while */
  uint32_t bytes;    /* of the payload */
  uint64_t token;    /* the request's struct upcr_pending, in the process that waits */
  uint64_t word[UPCR_MESSAGE_WORDS];
  char payload[];
};

/* Longer data travels by itself, straight between the places. */
#define UPCR_MESSAGE_BYTES 8192ul
#define UPCR_PAYLOAD_BYTES (UPCR_MESSAGE_BYTES - sizeof(struct upcr_message))

typedef void upcr_handler(int from, const struct upcr_message *message);

/* Request of a message about a semaphore: its third word. */
enum upcr_semaphore_request {
  UPCR_SEMAPHORE_POST,
  UPCR_SEMAPHORE_FREE,
  UPCR_SEMAPHORE_SERVE,
  UPCR_SEMAPHORE_TRY,
  UPCR_SEMAPHORE_WAIT
};

/* A request of this process that waits for its reply. */
struct upcr_pending {
  struct upcr_flag done; /* 1 when the reply is there */
  void *to;              /* where its payload goes, null for nowhere */
  uint64_t word[UPCR_MESSAGE_WORDS];
};

/* The rest is for the thread that has entered. Handlers run inside. */
UPCR_HIDDEN void upcr_network_enter(void);
/* Whether nobody else was inside. */
UPCR_HIDDEN int upcr_network_try(void);
UPCR_HIDDEN void upcr_network_leave(void);
/* Sends a message with `bytes` bytes of payload, which is copied. */
UPCR_HIDDEN void upcr_send(int thread, const struct upcr_message *message, const void *payload,
                           size_t bytes);
/* Answers the request `to`. */
UPCR_HIDDEN void upcr_reply(int thread, const struct upcr_message *to, uint64_t word,
                            const void *payload, size_t bytes);
/* Transfers of their own; `done` is called inside when they are complete. */
typedef void upcr_completion(void *argument, uint64_t number);
UPCR_HIDDEN void upcr_send_data(int thread, int tag, const void *from, size_t bytes,
                                upcr_completion *done, void *argument, uint64_t number);
UPCR_HIDDEN void upcr_receive_data(int thread, int tag, void *to, size_t bytes,
                                   upcr_completion *done, void *argument, uint64_t number);
/* Calls `done` when any other request is complete. */
UPCR_HIDDEN void upcr_add_transfer(upcr_request request, upcr_completion *done, void *argument,
                                   uint64_t number);
/* A number for a transfer that this process starts, and the tags of its data. */
UPCR_HIDDEN int upcr_new_tag(void);
#define UPCR_TAG_OF_GET(number) (2 * (number))
#define UPCR_TAG_OF_PUT(number) (2 * (number) + 1)
/* The children of this node in the tree whose root is the node `root`: the first process of each.
 * Returns their number; upcr_send_down sends them a message. */
#define UPCR_TREE_CHILDREN 31
UPCR_HIDDEN int upcr_tree_children(int root, int *leaders);
UPCR_HIDDEN void upcr_send_down(int root, const struct upcr_message *message, const void *payload,
                                size_t bytes);

/* And this for the one that has not. */

UPCR_HIDDEN void upcr_network_start(void);
/* Handles what has come, unless somebody else is at it; whether there was anything. */
UPCR_HIDDEN int upcr_network_poll(void);
/* Pthreads of the program that sleep until another thread does something. */
extern UPCR_HIDDEN _Atomic int upcr_sleepers;
/* Whether data is under way that only moves while somebody polls. */
UPCR_HIDDEN int upcr_network_is_busy(void);
/* Sends a request and waits for its reply. */
UPCR_HIDDEN void upcr_request_reply(int thread, struct upcr_message *message, const void *payload,
                                    size_t bytes, struct upcr_pending *pending);
/* Waits for a flag that a message from this thread sets. */
UPCR_HIDDEN void upcr_await_message(struct upcr_flag *flag, uint32_t value, int thread,
                                    enum upcr_reason reason);
/* This process no longer sends or handles anything. */
UPCR_HIDDEN void upcr_network_finish(void);
/* The pthread that calls this will not come back to what it was doing inside. */
UPCR_HIDDEN void upcr_network_abandon(void);
/* Whether the calling pthread is inside. */
UPCR_HIDDEN int upcr_network_is_inside(void);

/* ---- Doorbells (doorbell.c) ---- */

/* How a sleeping process is reached. */
struct upcr_doorbell {
  uint32_t addresses[4]; /* IPv4, in network order; 0 for none */
  uint16_t port;
};
UPCR_HIDDEN struct upcr_doorbell upcr_doorbell_start(void);
/* `all` has those of all threads. */
UPCR_HIDDEN void upcr_doorbell_connect(const struct upcr_doorbell *all);
/* Wakes the process of that thread if it sleeps. */
UPCR_HIDDEN void upcr_ring(int thread);
/* Wakes this process; may be called by a handler of signals. */
UPCR_HIDDEN void upcr_ring_self(void);
/* Sleeps until somebody rings, at most so long. */
UPCR_HIDDEN void upcr_await_ring(int milliseconds);

/* ---- Progress (progress.c) ---- */

UPCR_HIDDEN void upcr_progress_start(void);
UPCR_HIDDEN int upcr_is_progress_thread(void);
/* Makes progress until the process has ended, and does not return. */
UPCR_HIDDEN void upcr_progress_until_end(void) __attribute__((noreturn));

/* ---- Data (far.c) ---- */

/* Transfers are split, since MPI counts in `int`. */
#define UPCR_LONGEST (1ul << 30)
/* Begin to move or set at most UPCR_LONGEST bytes, which must be somebody's; `pending` is done when
 * that is finished. */
UPCR_HIDDEN void upcr_far_get_later(struct upcr_pending *pending, void *to, upcr_addr_t from,
                                    unsigned long n);
UPCR_HIDDEN void upcr_far_put_later(struct upcr_pending *pending, upcr_addr_t to, const void *from,
                                    unsigned long n);
UPCR_HIDDEN void upcr_far_set_later(struct upcr_pending *pending, upcr_addr_t to, int c,
                                    unsigned long n);
/* Waits for one of them; `addr` is the far place. */
UPCR_HIDDEN void upcr_far_await(struct upcr_pending *pending, upcr_addr_t addr);
/* Called once, before this pthread waits for far memory; null if nobody wants to know. */
extern UPCR_HIDDEN __thread void (*upcr_far_waits)(void);
static inline void upcr_far_begin_wait(void) {
  if (upcr_far_waits != NULL) upcr_far_waits();
}
/* Sends a write that nobody waits for, but a fence. */
UPCR_HIDDEN void upcr_far_write_later(int thread, const struct upcr_message *message,
                                      const void *payload, size_t bytes);
/* In the handler of such a message. */
UPCR_HIDDEN void upcr_acknowledge(int to, const struct upcr_message *write);
/* The same in two steps: sends it, without waiting, and waits while too many are under way. */
UPCR_HIDDEN void upcr_far_write_at_once(int thread, const struct upcr_message *message,
                                        const void *payload, size_t bytes);
UPCR_HIDDEN void upcr_far_await_room(void);
/* Waits until all that this process has written elsewhere is there. */
UPCR_HIDDEN void upcr_far_complete(void);
/* Far memory is about to be read or changed without the cache, or has just been changed so. */
UPCR_HIDDEN void upcr_far_past_cache(upcr_addr_t addr, unsigned long n);
/* Ends the program if the bytes are nobody's; `call` says what was tried. */
UPCR_HIDDEN void upcr_check_far(upcr_addr_t addr, unsigned long n, const char *call);

/* ---- One-sided operations (one_sided.c) ---- */

/* Whether the program uses them. */
extern UPCR_HIDDEN int upcr_one_sided;
/* Before MPI is started: ends the program if the setting is wrong. */
UPCR_HIDDEN void upcr_one_sided_settings(void);
/* To be called after segments are mapped and before the network starts. */
UPCR_HIDDEN void upcr_one_sided_start(void);
/* Begin a read or a write, inside the network; `done` is called, or set, when it is complete. */
UPCR_HIDDEN void upcr_one_sided_read(void *to, upcr_addr_t from, size_t bytes,
                                     upcr_completion *done, void *argument);
UPCR_HIDDEN void upcr_one_sided_write(upcr_addr_t to, const void *from, size_t bytes,
                                      struct upcr_flag *done);
/* Whether all writes of this process are acknowledged, so that a one-sided operation overtakes
 * none. */
UPCR_HIDDEN int upcr_far_is_quiet(void);

/* ---- Ends (ending.c) ---- */

/* Before MPI is started: looks after what a tool leaves on this node if the process is killed. */
UPCR_HIDDEN void upcr_collector_start(void);
/* The process ends in order. */
UPCR_HIDDEN void upcr_collector_dismiss(void);
/* Work of the progress thread for the end of the program, each time that it is awake. Returns
 * whether it should come again soon. */
UPCR_HIDDEN int upcr_tend_ending(void);
/* The last that a process does, however it ends. */
UPCR_HIDDEN void upcr_end_process(int status, void *unused);

/* ---- Handlers, each in the file of its subject ---- */

UPCR_HIDDEN upcr_handler upcr_handle_get, upcr_handle_put, upcr_handle_put_large, upcr_handle_set,
    upcr_handle_copy, upcr_handle_ack, upcr_handle_atomic, upcr_handle_barrier, upcr_handle_publish,
    upcr_handle_lock, upcr_handle_unlock, upcr_handle_grant, upcr_handle_lock_free,
    upcr_handle_allocate, upcr_handle_free, upcr_handle_count_free, upcr_handle_semaphore,
    upcr_handle_partials, upcr_handle_broadcast, upcr_handle_broadcast_segment,
    upcr_handle_read_cell, upcr_handle_write_cell, upcr_handle_end, upcr_handle_left;

static inline uint64_t upcr_now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#endif
