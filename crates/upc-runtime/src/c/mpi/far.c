/* Data of threads on other nodes: the process of the thread that has it reads and writes it for us.
 * Writes are acknowledged, and a fence waits for that. Longer data travels by itself, straight from
 * place to place. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cache.h"

/* Writes that may be under way before this process waits for some of them. */
#define MOST_WRITES 128u

int upcr_far_open;
__thread void (*upcr_far_waits)(void);

/* Writes that nobody waits for, numbered; the last thread that one went to. */
static uint32_t written;
static struct upcr_flag acknowledged;
static int last_writer_to;

void upcr_check_far(upcr_addr_t addr, unsigned long n, const char *call) {
  int thread = upcr_thread_of(addr);
  unsigned long offset = addr & UPCR_OFFSET_MASK, end = upcr_common_heap + upcr_heap_bytes;
  if (addr >= UPCR_BASE && thread < upcr_threads && offset <= end && n <= end - offset) return;
  if (addr < 65536)
    upcr_fatal("thread %d: %s through a null pointer-to-shared (address 0x%lx)", upcr_mythread,
               call, addr);
  if (addr < UPCR_BASE || thread >= UPCR_MAX_THREADS)
    upcr_fatal("thread %d: %s at 0x%lx, which is no address of shared memory", upcr_mythread, call,
               addr);
  if (thread >= upcr_threads)
    upcr_fatal("thread %d: %s of shared memory of thread %d, but there are %d threads",
               upcr_mythread, call, thread, upcr_threads);
  upcr_fatal("thread %d: %s of shared memory of thread %d at 0x%lx, where nothing is",
             upcr_mythread, call, thread, offset);
}

/* ---- Where the data is ---- */

/* A value of a scalar's size is read and written in one piece. */
static void copy(void *to, const void *from, unsigned long n) {
  uintptr_t both = (uintptr_t)to | (uintptr_t)from;
  if (n == 8 && both % 8 == 0)
    __atomic_store_n((uint64_t *)to, *(volatile uint64_t *)from, __ATOMIC_RELAXED);
  else if (n == 4 && both % 4 == 0)
    __atomic_store_n((uint32_t *)to, *(volatile uint32_t *)from, __ATOMIC_RELAXED);
  else if (n == 2 && both % 2 == 0)
    __atomic_store_n((uint16_t *)to, *(volatile uint16_t *)from, __ATOMIC_RELAXED);
  else memcpy(to, from, n);
}

void upcr_handle_get(int from, const struct upcr_message *message) {
  const void *at = upcr_local(message->word[0]);
  size_t n = message->word[1];
  if (n > UPCR_PAYLOAD_BYTES) {
    upcr_send_data(from, UPCR_TAG_OF_GET((int)message->word[2]), at, n, NULL, NULL, 0);
    return;
  }
  uint64_t value[1];
  if (n <= sizeof value) {
    copy(value, at, n);
    at = value;
  }
  upcr_reply(from, message, 0, at, n);
}

/* To whoever waits for this one, or counts. */
void upcr_acknowledge(int to, const struct upcr_message *write) {
  struct upcr_message ack = {.kind = UPCR_ACK};
  if (write->token != 0) upcr_reply(to, write, 0, NULL, 0);
  else upcr_send(to, &ack, NULL, 0);
}

void upcr_handle_put(int from, const struct upcr_message *message) {
  copy(upcr_local(message->word[0]), message->payload, message->bytes);
  upcr_acknowledge(from, message);
}

void upcr_handle_set(int from, const struct upcr_message *message) {
  memset(upcr_local(message->word[0]), (int)message->word[1], message->word[2]);
  upcr_acknowledge(from, message);
}

void upcr_handle_copy(int from, const struct upcr_message *message) {
  memmove(upcr_local(message->word[0]), upcr_local(message->word[1]), message->word[2]);
  upcr_acknowledge(from, message);
}

void upcr_handle_ack(int from, const struct upcr_message *message) {
  (void)from;
  (void)message;
  upcr_flag_set(&acknowledged, atomic_load(&acknowledged.value) + 1);
}

/* A large write has come: the requester waits for the reply. */
static void put_is_here(void *thread, uint64_t token) {
  struct upcr_message request = {.token = token};
  upcr_reply((int)(intptr_t)thread, &request, 0, NULL, 0);
}

void upcr_handle_put_large(int from, const struct upcr_message *message) {
  upcr_receive_data(from, UPCR_TAG_OF_PUT((int)message->word[2]), upcr_local(message->word[0]),
                    message->word[1], put_is_here, (void *)(intptr_t)from, message->token);
}

/* ---- Where it is wanted ---- */

static void await_writes(uint32_t number) {
  if (upcr_reached(atomic_load_explicit(&acknowledged.value, memory_order_acquire), number)) return;
  upcr_far_begin_wait();
  upcr_await_message(&acknowledged, number, last_writer_to, UPCR_FOR_MESSAGE);
}

int upcr_far_is_quiet(void) {
  return upcr_reached(atomic_load_explicit(&acknowledged.value, memory_order_acquire), written);
}

void upcr_far_complete(void) {
  upcr_cache_flush();
  await_writes(written);
}

void upcr_far_fence(void) {
  upcr_far_complete();
  upcr_cache_forget();
  upcr_far_open = 0;
}

void upcr_far_write_at_once(int thread, const struct upcr_message *message, const void *payload,
                            size_t bytes) {
  upcr_network_enter();
  upcr_send(thread, message, payload, bytes);
  written++;
  last_writer_to = thread;
  upcr_network_leave();
  upcr_far_open = 1;
}

void upcr_far_await_room(void) { await_writes(written - MOST_WRITES); }

void upcr_far_write_later(int thread, const struct upcr_message *message, const void *payload,
                          size_t bytes) {
  upcr_far_begin_wait();
  upcr_far_write_at_once(thread, message, payload, bytes);
  upcr_far_await_room();
}

static void data_is_here(void *flag, uint64_t unused) {
  (void)unused;
  upcr_flag_set(flag, 1);
}

void upcr_far_get_later(struct upcr_pending *pending, void *to, upcr_addr_t from, unsigned long n) {
  int thread = upcr_thread_of(from);
  struct upcr_message message = {.kind = UPCR_GET, .token = (uint64_t)pending, .word = {from, n}};
  *pending = (struct upcr_pending){.to = to};
  upcr_network_enter();
  if (upcr_one_sided && upcr_far_is_quiet()) {
    upcr_one_sided_read(to, from, n, data_is_here, &pending->done);
    upcr_network_leave();
    return;
  }
  if (n > UPCR_PAYLOAD_BYTES) {
    int number = upcr_new_tag();
    message.word[2] = (uint64_t)number;
    upcr_receive_data(thread, UPCR_TAG_OF_GET(number), to, n, data_is_here, &pending->done, 0);
  }
  upcr_send(thread, &message, NULL, 0);
  upcr_network_leave();
}

void upcr_far_put_later(struct upcr_pending *pending, upcr_addr_t to, const void *from,
                        unsigned long n) {
  int thread = upcr_thread_of(to);
  struct upcr_message message = {.kind = UPCR_PUT, .token = (uint64_t)pending, .word = {to, n}};
  *pending = (struct upcr_pending){.to = NULL};
  upcr_network_enter();
  if (upcr_one_sided && upcr_far_is_quiet()) {
    upcr_one_sided_write(to, from, n, &pending->done);
    upcr_network_leave();
    return;
  }
  if (n > UPCR_PAYLOAD_BYTES) {
    int number = upcr_new_tag();
    message.kind = UPCR_PUT_LARGE;
    message.word[2] = (uint64_t)number;
    upcr_send(thread, &message, NULL, 0);
    upcr_send_data(thread, UPCR_TAG_OF_PUT(number), from, n, NULL, NULL, 0);
  } else {
    upcr_send(thread, &message, from, n);
  }
  upcr_network_leave();
}

void upcr_far_set_later(struct upcr_pending *pending, upcr_addr_t to, int c, unsigned long n) {
  struct upcr_message message = {
      .kind = UPCR_SET, .token = (uint64_t)pending, .word = {to, (uint64_t)c, n}};
  *pending = (struct upcr_pending){.to = NULL};
  upcr_network_enter();
  upcr_send(upcr_thread_of(to), &message, NULL, 0);
  upcr_network_leave();
}

void upcr_far_await(struct upcr_pending *pending, upcr_addr_t addr) {
  upcr_await_message(&pending->done, 1, upcr_thread_of(addr), UPCR_FOR_MESSAGE);
}

static void get(void *to, upcr_addr_t from, unsigned long n) {
  struct upcr_pending pending;
  upcr_far_begin_wait();
  upcr_waiting++;
  upcr_far_get_later(&pending, to, from, n);
  upcr_far_await(&pending, from);
  upcr_waiting--;
}

static void put_large(upcr_addr_t to, const void *from, unsigned long n) {
  struct upcr_pending pending;
  upcr_far_begin_wait();
  upcr_waiting++;
  upcr_far_put_later(&pending, to, from, n);
  upcr_far_await(&pending, to);
  upcr_waiting--;
}

static void get_directly(void *to, upcr_addr_t from, unsigned long n) {
  upcr_far_past_cache(from, n);
  while (n > UPCR_LONGEST) {
    get(to, from, UPCR_LONGEST);
    to = (char *)to + UPCR_LONGEST;
    from += UPCR_LONGEST;
    n -= UPCR_LONGEST;
  }
  if (n != 0) get(to, from, n);
}

void upcr_far_get(void *to, upcr_addr_t from, unsigned long n) {
  upcr_check_far(from, n, "read");
  if (upcr_is_cacheable(from, n) && upcr_is_cached()) upcr_cache_read(to, from, n);
  else get_directly(to, from, n);
}

static void put_directly(upcr_addr_t to, const void *from, unsigned long n) {
  upcr_far_past_cache(to, n);
  while (n > UPCR_LONGEST) {
    put_large(to, from, UPCR_LONGEST);
    from = (const char *)from + UPCR_LONGEST;
    to += UPCR_LONGEST;
    n -= UPCR_LONGEST;
  }
  if (n > UPCR_PAYLOAD_BYTES) {
    put_large(to, from, n);
  } else if (n != 0) {
    struct upcr_message message = {.kind = UPCR_PUT, .word = {to}};
    upcr_far_write_later(upcr_thread_of(to), &message, from, n);
  }
}

void upcr_far_put(upcr_addr_t to, const void *from, unsigned long n) {
  upcr_check_far(to, n, "write");
  if (upcr_is_cacheable(to, n) && upcr_is_cached()) upcr_cache_write(to, from, n);
  else put_directly(to, from, n);
}

unsigned long upcr_far_read(upcr_addr_t from, int n) {
  unsigned long value = 0;
  upcr_far_get(&value, from, (unsigned long)n);
  return value;
}

void upcr_far_write(upcr_addr_t to, unsigned long value, int n) {
  upcr_far_put(to, &value, (unsigned long)n);
}

/* ---- Copies of the runtime and of the library: near or far ---- */

void upcr_get_bytes(void *to, upcr_addr_t from, unsigned long n) {
  if (upcr_is_near(from)) memcpy(to, upcr_local(from), n);
  else upcr_far_get(to, from, n);
}

void upcr_put_bytes(upcr_addr_t to, const void *from, unsigned long n) {
  if (upcr_is_near(to)) memcpy(upcr_local(to), from, n);
  else upcr_far_put(to, from, n);
}

void upcr_set_bytes(upcr_addr_t to, int c, unsigned long n) {
  if (upcr_is_near(to)) {
    memset(upcr_local(to), c, n);
    return;
  }
  upcr_check_far(to, n, "upc_memset");
  upcr_far_past_cache(to, n);
  struct upcr_message message = {.kind = UPCR_SET, .word = {to, (uint64_t)c, n}};
  upcr_far_write_later(upcr_thread_of(to), &message, NULL, 0);
}

/* Between two far places on different nodes it goes through here, in pieces. */
#define PIECE (1ul << 20)
static void copy_through(upcr_addr_t to, upcr_addr_t from, unsigned long n) {
  char *piece = malloc(n < PIECE ? n : PIECE);
  if (piece == NULL)
    upcr_fatal("thread %d: no memory is left for a copy between two other nodes", upcr_mythread);
  for (unsigned long at = 0; at < n; at += PIECE) {
    unsigned long bytes = n - at < PIECE ? n - at : PIECE;
    upcr_far_get(piece, from + at, bytes);
    upcr_far_put(to + at, piece, bytes);
  }
  free(piece);
}

void upcr_copy_bytes(upcr_addr_t to, upcr_addr_t from, unsigned long n) {
  if (n == 0 || to == from) return;
  if (upcr_is_near(from)) {
    if (upcr_is_near(to)) memmove(upcr_local(to), upcr_local(from), n);
    else upcr_far_put(to, upcr_local(from), n);
  } else if (upcr_is_near(to)) {
    upcr_far_get(upcr_local(to), from, n);
  } else if (upcr_node_of(upcr_thread_of(to)) != upcr_node_of(upcr_thread_of(from))) {
    copy_through(to, from, n);
  } else {
    upcr_check_far(to, n, "write");
    upcr_check_far(from, n, "read");
    upcr_far_past_cache(from, n);
    upcr_far_past_cache(to, n);
    /* Writes to `from`, before and after, go by way of another process. */
    int apart = upcr_thread_of(to) != upcr_thread_of(from);
    if (apart) upcr_far_complete();
    struct upcr_message message = {.kind = UPCR_COPY, .word = {to, from, n}};
    upcr_far_write_later(upcr_thread_of(to), &message, NULL, 0);
    if (apart) upcr_far_complete();
  }
}

int upcr_is_far(const void *at) {
  upcr_addr_t addr = (upcr_addr_t)at;
  return addr >= UPCR_BASE && addr < upcr_segment(upcr_threads) && !upcr_is_near(addr);
}

void upcr_move_bytes(void *to, const void *from, unsigned long n) {
  if (upcr_is_far(to) && upcr_is_far(from)) upcr_copy_bytes((upcr_addr_t)to, (upcr_addr_t)from, n);
  else if (upcr_is_far(to)) upcr_far_put((upcr_addr_t)to, from, n);
  else if (upcr_is_far(from)) upcr_far_get(to, (upcr_addr_t)from, n);
  else memcpy(to, from, n);
}

int upcr_near_first(void) { return upcr_world.node_first; }
int upcr_near_end(void) { return upcr_world.node_first + upcr_world.node_threads; }
int upcr_are_on_one_node(int one, int other) { return upcr_node_of(one) == upcr_node_of(other); }
