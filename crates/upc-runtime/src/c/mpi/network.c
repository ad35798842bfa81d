/* Active messages over the transport: one pthread at a time is inside, sends, receives and runs
 * handlers. Messages from one process are handled in the order in which they were sent. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "cache.h"

struct upcr_world upcr_world;

#define MESSAGE_TAG 0
/* Messages that may come before somebody looks; MPI keeps more. */
#define RECEIVES 32
/* Between two sends, a process that is awake looks for messages at least this long. */
#define AWAKE_NS 50000u

static upcr_handler *const handlers[UPCR_MESSAGE_KINDS] = {
    [UPCR_ACK] = upcr_handle_ack,
    [UPCR_GET] = upcr_handle_get,
    [UPCR_GET_LINE] = upcr_handle_get_line,
    [UPCR_LINE_IS_HERE] = upcr_handle_line,
    [UPCR_PUT] = upcr_handle_put,
    [UPCR_PUT_LINES] = upcr_handle_put_lines,
    [UPCR_PUT_LARGE] = upcr_handle_put_large,
    [UPCR_SET] = upcr_handle_set,
    [UPCR_COPY] = upcr_handle_copy,
    [UPCR_ATOMIC] = upcr_handle_atomic,
    [UPCR_BARRIER] = upcr_handle_barrier,
    [UPCR_PUBLISH] = upcr_handle_publish,
    [UPCR_LOCK] = upcr_handle_lock,
    [UPCR_UNLOCK] = upcr_handle_unlock,
    [UPCR_GRANT] = upcr_handle_grant,
    [UPCR_LOCK_FREE] = upcr_handle_lock_free,
    [UPCR_ALLOCATE] = upcr_handle_allocate,
    [UPCR_FREE] = upcr_handle_free,
    [UPCR_COUNT_FREE] = upcr_handle_count_free,
    [UPCR_SEMAPHORE] = upcr_handle_semaphore,
    [UPCR_PARTIALS_OF_NODE] = upcr_handle_partials,
    [UPCR_BROADCAST] = upcr_handle_broadcast,
    [UPCR_BROADCAST_SEGMENT] = upcr_handle_broadcast_segment,
    [UPCR_READ_CELL] = upcr_handle_read_cell,
    [UPCR_WRITE_CELL] = upcr_handle_write_cell,
    [UPCR_END] = upcr_handle_end,
    [UPCR_LEFT] = upcr_handle_left,
};

/* ---- One pthread at a time ---- */

static struct upcr_guard guard;
static _Atomic int inside; /* the kernel's number of the pthread, 0 for none */

static int own_number(void) {
  static __thread int number;
  if (number == 0) number = (int)syscall(SYS_gettid);
  return number;
}

int upcr_network_is_inside(void) {
  return atomic_load_explicit(&inside, memory_order_relaxed) == own_number();
}

static int is_forked;

/* MPI's connections are those of the process that was forked. */
static void in_forked_process(void) {
  is_forked = 1;
  upcr_cache_stop();
}

static void refuse(const char *who) __attribute__((noreturn));
static void refuse(const char *who) {
  upcr_say("thread %d: %s cannot access shared memory of other nodes, nor wait for threads there",
           upcr_mythread, who);
  _exit(1);
}

void upcr_network_enter(void) {
  if (is_forked) refuse("a process that it forked");
  if (upcr_network_is_inside()) refuse("a handler of signals");
  upcr_guard_enter(&guard);
  atomic_store_explicit(&inside, own_number(), memory_order_relaxed);
}

int upcr_network_try(void) {
  if (is_forked || !upcr_guard_try(&guard)) return 0;
  atomic_store_explicit(&inside, own_number(), memory_order_relaxed);
  return 1;
}

static void leave(void) {
  atomic_store_explicit(&inside, 0, memory_order_relaxed);
  upcr_guard_leave(&guard);
}

void upcr_network_leave(void) {
  int left_alone = upcr_network_is_busy() && upcr_waiting == 0;
  leave();
  if (left_alone) upcr_ring_self();
}

/* ---- Sending ---- */

struct outgoing {
  struct outgoing *next;
  upcr_request request;
  struct upcr_message message;
};

static struct outgoing *spare;
static struct outgoing *sending, **sending_end = &sending;

/* Until when the process of a thread looks for messages by itself; all processes of a node know it.
 */
static _Atomic uint64_t *awake_until(int thread) {
  return &upcr_control->threads[thread].awake_until;
}

static struct outgoing *new_outgoing(void) {
  struct outgoing *out = spare;
  if (out != NULL) {
    spare = out->next;
    return out;
  }
  out = malloc(offsetof(struct outgoing, message) + UPCR_MESSAGE_BYTES);
  if (out == NULL) upcr_fatal("thread %d: no memory is left for a message", upcr_mythread);
  return out;
}

void upcr_send(int thread, const struct upcr_message *message, const void *payload, size_t bytes) {
  struct outgoing *out = new_outgoing();
  memcpy(&out->message, message, sizeof *message);
  out->message.bytes = (uint32_t)bytes;
  out->message.is_awake = upcr_waiting > 0;
  if (bytes != 0) memcpy(out->message.payload, payload, bytes);
  out->request = upcr_transport_send(thread, MESSAGE_TAG, &out->message, sizeof *message + bytes);
  if (upcr_transport_test(&out->request, NULL, NULL)) {
    out->next = spare;
    spare = out;
  } else {
    out->next = NULL;
    *sending_end = out;
    sending_end = &out->next;
  }
  if (upcr_now_ns() >= atomic_load_explicit(awake_until(thread), memory_order_relaxed))
    upcr_ring(thread);
}

void upcr_reply(int thread, const struct upcr_message *to, uint64_t word, const void *payload,
                size_t bytes) {
  struct upcr_message reply = {.kind = UPCR_REPLY, .token = to->token, .word = {word}};
  upcr_send(thread, &reply, payload, bytes);
}

static int collect_sent(void) {
  int moved = 0;
  while (sending != NULL && upcr_transport_test(&sending->request, NULL, NULL)) {
    struct outgoing *out = sending;
    sending = out->next;
    if (sending == NULL) sending_end = &sending;
    out->next = spare;
    spare = out;
    moved = 1;
  }
  return moved;
}

/* ---- Data of its own ---- */

struct transfer {
  struct transfer *next;
  upcr_request request;
  upcr_completion *done;
  void *argument;
  uint64_t number;
};
static struct transfer *transfers;

void upcr_add_transfer(upcr_request request, upcr_completion *done, void *argument,
                       uint64_t number) {
  struct transfer *t = malloc(sizeof *t);
  if (t == NULL) upcr_fatal("thread %d: no memory is left for a transfer", upcr_mythread);
  *t = (struct transfer){transfers, request, done, argument, number};
  transfers = t;
}

void upcr_send_data(int thread, int tag, const void *from, size_t bytes, upcr_completion *done,
                    void *argument, uint64_t number) {
  upcr_add_transfer(upcr_transport_send(thread, tag, from, bytes), done, argument, number);
}

void upcr_receive_data(int thread, int tag, void *to, size_t bytes, upcr_completion *done,
                       void *argument, uint64_t number) {
  upcr_add_transfer(upcr_transport_receive(thread, tag, to, bytes), done, argument, number);
}

/* Every MPI has at least 32767 of them. */
int upcr_new_tag(void) {
  static int last;
  last = last % 16000 + 1;
  return last;
}

static int complete_transfers(void) {
  int moved = 0;
  for (struct transfer **at = &transfers; *at != NULL;) {
    struct transfer *t = *at;
    if (!upcr_transport_test(&t->request, NULL, NULL)) {
      at = &t->next;
      continue;
    }
    *at = t->next;
    moved = 1;
    if (t->done != NULL) t->done(t->argument, t->number);
    free(t);
  }
  return moved;
}

int upcr_network_is_busy(void) { return sending != NULL || transfers != NULL; }

/* ---- Receiving ---- */

static struct {
  upcr_request request;
  struct upcr_message *message;
} receives[RECEIVES];
static int next_receive;
/* When was looked for messages, and whether one that is there now has come just before: else its
 * sender may have fallen asleep since. */
static uint64_t last_poll;
static int is_fresh;
#define FRESH_NS 100000u
static int is_handling; /* the message of that one */
static int is_open;

static void expect(int i) {
  receives[i].request =
      upcr_transport_receive(UPCR_ANY_THREAD, MESSAGE_TAG, receives[i].message, UPCR_MESSAGE_BYTES);
}

static void take_reply(const struct upcr_message *message) {
  struct upcr_pending *pending = (struct upcr_pending *)message->token;
  if (pending->to != NULL) memcpy(pending->to, message->payload, message->bytes);
  memcpy(pending->word, message->word, sizeof pending->word);
  upcr_flag_set(&pending->done, 1);
}

static void handled_one(void) {
  is_handling = 0;
  expect(next_receive);
  next_receive = (next_receive + 1) % RECEIVES;
}

/* A handler that ends the program does not come back to its message; others go on after it. */
void upcr_network_abandon(void) {
  if (!upcr_network_is_inside()) return;
  if (is_handling) handled_one();
  leave();
}

static int handle_received(void) {
  int handled = 0, from;
  while (handled < RECEIVES && upcr_transport_test(&receives[next_receive].request, &from, NULL)) {
    struct upcr_message *message = receives[next_receive].message;
    uint64_t until = message->is_awake && is_fresh ? upcr_now_ns() + AWAKE_NS : 0;
    atomic_store_explicit(awake_until(from), until, memory_order_relaxed);
    is_handling = 1;
    if (message->kind == UPCR_REPLY) take_reply(message);
    else handlers[message->kind](from, message);
    handled_one();
    handled++;
  }
  return handled;
}

int upcr_network_poll(void) {
  /* A handler that waits for something short must not run another one. */
  if (upcr_network_is_inside() || !upcr_network_try()) return 0;
  int moved = 0;
  if (is_open) {
    uint64_t now = upcr_now_ns();
    is_fresh = now - last_poll < FRESH_NS;
    last_poll = now;
    moved = handle_received();
    if (sending != NULL) moved |= collect_sent();
    if (transfers != NULL) moved |= complete_transfers();
  }
  leave();
  return moved;
}

void upcr_network_look(void) {
  /* Not while MPI is started or ended. */
  if (!is_open) return;
  upcr_network_poll();
  if (upcr_waiting > 0 && !upcr_network_is_inside() && !upcr_is_progress_thread() &&
      atomic_load_explicit(&upcr_control->ending, memory_order_relaxed) == 2 &&
      !atomic_load(&upcr_control->threads[upcr_mythread].leaving))
    upcr_leave();
}

/* ---- Waiting ---- */

_Atomic int upcr_sleepers;

/* How long to look for messages before falling asleep, and how often to look at the clock. */
#define PATIENCE_NS 200000u
#define BUSY_NS 20000000u
#define LOOKS 16

int upcr_poll_until(struct upcr_flag *flag, uint32_t value) {
  uint64_t end = upcr_now_ns() + PATIENCE_NS;
  for (int i = 0;; i++) {
    if (upcr_reached(atomic_load_explicit(&flag->value, memory_order_acquire), value)) return 1;
    upcr_network_look();
    /* Where processes share cores, the one that is waited for gets ours. */
    if (upcr_spins == 0) sched_yield();
    if (i % LOOKS != LOOKS - 1) continue;
    /* Data under way moves only while somebody looks. */
    uint64_t most = upcr_network_is_busy() ? BUSY_NS : 0;
    if (upcr_now_ns() > end + most) return 0;
  }
}

void upcr_await_message(struct upcr_flag *flag, uint32_t value, int thread,
                        enum upcr_reason reason) {
  upcr_waiting++;
  if (!upcr_poll_until(flag, value)) {
    upcr_ring(thread);
    upcr_flag_await(flag, value, reason);
  }
  upcr_waiting--;
}

void upcr_request_reply(int thread, struct upcr_message *message, const void *payload, size_t bytes,
                        struct upcr_pending *pending) {
  memset(&pending->done, 0, sizeof pending->done);
  message->token = (uint64_t)pending;
  upcr_waiting++;
  upcr_network_enter();
  upcr_send(thread, message, payload, bytes);
  upcr_network_leave();
  upcr_await_message(&pending->done, 1, thread, UPCR_FOR_MESSAGE);
  upcr_waiting--;
}

/* ---- Begin and end ---- */

void upcr_network_start(void) {
  char *buffers = aligned_alloc(UPCR_LINE, RECEIVES * UPCR_MESSAGE_BYTES);
  if (buffers == NULL) upcr_fatal("thread %d: no memory is left for messages", upcr_mythread);
  pthread_atfork(NULL, NULL, in_forked_process);
  upcr_network_enter();
  for (int i = 0; i < RECEIVES; i++) {
    receives[i].message = (struct upcr_message *)(buffers + (size_t)i * UPCR_MESSAGE_BYTES);
    expect(i);
  }
  is_open = 1;
  leave();
}

void upcr_network_finish(void) {
  upcr_network_enter();
  is_open = 0;
  while (sending != NULL)
    if (!collect_sent()) sched_yield();
  for (int i = 0; i < RECEIVES; i++) upcr_transport_cancel(&receives[i].request);
  leave();
}

int upcr_node_of(int thread) {
  int low = 0, high = upcr_world.nodes;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (upcr_world.first_of_node[middle] <= thread) low = middle;
    else high = middle;
  }
  return low;
}
