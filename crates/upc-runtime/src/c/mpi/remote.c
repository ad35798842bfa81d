/* Services of the node of a variable, or of a heap, for threads elsewhere: atomic operations and
 * allocation. */
#include <time.h>

#include "atomic.h"
#include "network.h"

/* ---- Atomic operations ---- */

static const unsigned char sizes[] = {4, 4, 8, 8, 4, 8, 16};

/* The operands of a message, and the number that stands for the replacement of some bits. */
struct operands {
  char a[16], b[16];
};
#define MASKED_SWAP 0x7fffffff

static void operate(int base, void *fetch, int op, void *target, void *a, void *b) {
  switch (base) {
    case UPCR_BASE_I: upcr_atomic_I(fetch, op, target, a, b); break;
    case UPCR_BASE_UI: upcr_atomic_UI(fetch, op, target, a, b); break;
    case UPCR_BASE_L: upcr_atomic_L(fetch, op, target, a, b); break;
    case UPCR_BASE_UL: upcr_atomic_UL(fetch, op, target, a, b); break;
    case UPCR_BASE_F: upcr_atomic_F(fetch, op, target, a, b); break;
    case UPCR_BASE_D: upcr_atomic_D(fetch, op, target, a, b); break;
    case UPCR_BASE_PTS: upcr_atomic_PTS(fetch, op, target, a, b); break;
  }
}

void upcr_handle_atomic(int from, const struct upcr_message *message) {
  struct operands with;
  char old[16] __attribute__((aligned(16))) = {0};
  memcpy(&with, message->payload, sizeof with);
  int base = (int)message->word[1], op = (int)message->word[2], fetches = (int)message->word[3];
  void *target = upcr_local(message->word[0]);
  if (op == MASKED_SWAP) {
    uint64_t mask, value, before;
    memcpy(&mask, with.a, sizeof mask);
    memcpy(&value, with.b, sizeof value);
    before = upcr_masked_swap(sizes[base], target, mask, value);
    memcpy(old, &before, sizeof before);
  } else {
    /* Operands are aligned as their types are. */
    char a[16] __attribute__((aligned(16))), b[16] __attribute__((aligned(16)));
    memcpy(a, with.a, sizeof a);
    memcpy(b, with.b, sizeof b);
    operate(base, fetches ? old : NULL, op, target, a, b);
  }
  upcr_reply(from, message, 0, old, fetches ? sizes[base] : 0);
}

void upcr_far_atomic(enum upcr_base base, void *fetch, int op, upcr_addr_t target, const void *a,
                     const void *b) {
  struct operands with = {{0}, {0}};
  upcr_check_far(target, sizes[base], "an atomic operation");
  if (a != NULL) memcpy(with.a, a, sizes[base]);
  if (b != NULL) memcpy(with.b, b, sizes[base]);
  struct upcr_message message = {.kind = UPCR_ATOMIC,
                                 .word = {target, base, (uint64_t)op, fetch != NULL}};
  struct upcr_pending pending = {.to = fetch};
  upcr_far_past_cache(target, sizes[base]);
  upcr_request_reply(upcr_thread_of(target), &message, &with, sizeof with, &pending);
}

uint64_t upcr_far_masked_swap(unsigned long size, upcr_addr_t target, uint64_t mask,
                              uint64_t value) {
  uint64_t old = 0;
  struct operands with = {{0}, {0}};
  upcr_check_far(target, size, "an atomic operation");
  memcpy(with.a, &mask, sizeof mask);
  memcpy(with.b, &value, sizeof value);
  struct upcr_message message = {
      .kind = UPCR_ATOMIC,
      .word = {target, size == 4 ? UPCR_BASE_UI : UPCR_BASE_UL, MASKED_SWAP, 1}};
  struct upcr_pending pending = {.to = &old};
  upcr_far_past_cache(target, size);
  upcr_request_reply(upcr_thread_of(target), &message, &with, sizeof with, &pending);
  return old;
}

/* ---- Heaps. The payload is the name of the call, for messages ---- */

static uint64_t ask(int thread, enum upcr_message_kind kind, uint64_t word, const char *call) {
  struct upcr_message message = {.kind = kind, .word = {word}};
  struct upcr_pending pending = {.to = NULL};
  upcr_settle_far();
  upcr_request_reply(thread, &message, call, strlen(call) + 1, &pending);
  return pending.word[0];
}

upcr_addr_t upcr_far_allocate(unsigned long bytes, const char *call) {
  return ask(0, UPCR_ALLOCATE, bytes, call);
}

void upcr_handle_allocate(int from, const struct upcr_message *message) {
  upcr_acting_for = from + 1;
  upcr_addr_t addr = upcr_heap_common(message->word[0], message->payload);
  upcr_acting_for = 0;
  upcr_reply(from, message, addr, NULL, 0);
}

void upcr_far_free(upcr_pts p, const char *call) {
  upcr_check_far(p.addr, 1, call);
  ask(upcr_thread_of(p.addr), UPCR_FREE, p.addr, call);
}

void upcr_handle_free(int from, const struct upcr_message *message) {
  upcr_acting_for = from + 1;
  upcr_heap_free(upcr_make(message->word[0], 0), message->payload);
  upcr_acting_for = 0;
  upcr_reply(from, message, 0, NULL, 0);
}

int upcr_far_is_last_to_free(upcr_pts p, const char *call) {
  upcr_check_far(p.addr, 1, call);
  return (int)ask(upcr_thread_of(p.addr), UPCR_COUNT_FREE, p.addr, call);
}

void upcr_handle_count_free(int from, const struct upcr_message *message) {
  upcr_acting_for = from + 1;
  int is_last = upcr_heap_is_last_to_free(upcr_make(message->word[0], 0), message->payload);
  upcr_acting_for = 0;
  upcr_reply(from, message, (uint64_t)is_last, NULL, 0);
}
