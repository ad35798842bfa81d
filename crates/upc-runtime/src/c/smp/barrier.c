/* Barriers, also in split phase. A thread arrives by writing what it arrives at into a line of its
 * own; that never waits. With few threads that each have a core, whoever waits looks at all the
 * lines; else arrivals are counted up a tree whose last arrival releases everybody. Both ways the
 * values of named barriers meet, and so do arrivals at different things, which would be a silent
 * hang otherwise. */
#include <stdio.h>

#include "runtime.h"

/* Up to here every thread looks at every other one, if it has a core to do so. */
#define ALL_LOOK_AT_ALL 16
#define FAN_IN 8

uint32_t upcr_collectives;
uint32_t upcr_collectives_finished;

static uint32_t epoch; /* of this thread's latest arrival */
static int notified;   /* between upc_notify and upc_wait */
static int everyone_looks;
static int first_node[8]; /* of each level of the tree */

// clang-format off
const char *const upcr_kind_names[UPCR_KINDS] = {
  "a barrier", "the start of the program", "the end of the program",
  "upc_all_broadcast", "upc_all_scatter", "upc_all_gather", "upc_all_gather_all",
  "upc_all_exchange", "upc_all_permute", "upc_all_reduce", "upc_all_prefix_reduce", "upc_all_sort",
  "a bupc_allv_ operation",
  "upc_all_alloc", "upc_all_free", "upc_all_lock_alloc", "upc_all_lock_free",
#define NAME(kind, name) name,
    UPCR_IO_FUNCTIONS(NAME)
#undef NAME
};
// clang-format on

void upcr_barrier_start(void) {
  everyone_looks = upcr_spins != 0 && upcr_threads <= ALL_LOOK_AT_ALL;
  int members = upcr_threads, node = 0;
  for (int level = 0; level < 8; level++) {
    first_node[level] = node;
    members = (members + FAN_IN - 1) / FAN_IN;
    node += members;
    if (members == 1) break;
  }
}

static struct upcr_arrival *arrival_of(int thread, uint32_t at) {
  return &upcr_control->threads[thread].arrivals[at & 1];
}

/* ---- What does not fit together ---- */

static void describe(char *text, size_t size, int thread, const struct upcr_arrival *a) {
  const char *at = upcr_at(a->file, a->line);
  if (a->kind == UPCR_AT_END)
    snprintf(text, size, "thread %d ended with status %d", thread, a->status);
  else if (a->kind != UPCR_AT_BARRIER)
    snprintf(text, size, "thread %d is at %s%s", thread, upcr_kind_names[a->kind], at);
  else if (a->named)
    snprintf(text, size, "thread %d is at a barrier with the value %d%s", thread, a->value, at);
  else snprintf(text, size, "thread %d is at a barrier without a value%s", thread, at);
}

void upcr_describe_arrival(char *text, size_t size, int thread, uint32_t at) {
  describe(text, size, thread, arrival_of(thread, at));
}

int upcr_status_of_arrival(int thread, uint32_t at) {
  const struct upcr_arrival *a = arrival_of(thread, at);
  return a->kind == UPCR_AT_END ? a->status : 0;
}

static void mismatch(int one, int other, uint32_t at) __attribute__((noreturn));
static void mismatch(int one, int other, uint32_t at) {
  char first[400], second[400];
  const struct upcr_arrival *a = arrival_of(one, at), *b = arrival_of(other, at);
  const struct upcr_arrival *end = a->kind == UPCR_AT_END ? a : b->kind == UPCR_AT_END ? b : NULL;
  describe(first, sizeof first, one, a);
  describe(second, sizeof second, other, b);
  /* Several threads see the same; one says it. */
  if (upcr_claim_end(end != NULL && end->status != 0 ? end->status : 1))
    upcr_say("%s, but %s: %s", first, second,
             a->kind == b->kind ? "the values of a barrier must be equal on all threads"
                                : "all threads must come to the same one");
  upcr_leave();
}

static int differ(const struct upcr_arrival *a, const struct upcr_arrival *b) {
  return a->kind != b->kind || (a->named && b->named && a->value != b->value);
}

/* ---- Arriving ---- */

/* Counts up the tree; whoever is last at a node goes on to the next one. It also compares what
 * arrived there. */
static void climb(uint32_t at) {
  uint32_t parity = at & 1;
  int member = upcr_mythread, members = upcr_threads;
  for (int level = 0;; level++) {
    int group = member / FAN_IN;
    int count = members - group * FAN_IN < FAN_IN ? members - group * FAN_IN : FAN_IN;
    struct upcr_node *node = &upcr_control->nodes[first_node[level] + group];
    if (atomic_fetch_add_explicit(&node->arrived, 1, memory_order_acq_rel) + 1 != (uint32_t)count)
      return;
    /* Nobody comes here again before the release. */
    atomic_store_explicit(&node->arrived, 0, memory_order_relaxed);
    int representative = -1;
    for (int i = group * FAN_IN; i < group * FAN_IN + count; i++) {
      int thread = level == 0
                       ? i
                       : (int)upcr_control->nodes[first_node[level - 1] + i].representative[parity];
      if (representative < 0) {
        representative = thread;
        continue;
      }
      const struct upcr_arrival *a = arrival_of(representative, at), *b = arrival_of(thread, at);
      if (differ(a, b)) mismatch(representative, thread, at);
      /* A named one can stand for anonymous ones. */
      if (b->named && !a->named) representative = thread;
    }
    node->representative[parity] = (uint32_t)representative;
    members = (members + FAN_IN - 1) / FAN_IN;
    member = group;
    if (members == 1) break;
  }
  upcr_flag_set(&upcr_control->released, at);
}

static int all_arrived(uint32_t at) {
  for (int t = 0; t < upcr_threads; t++)
    if (atomic_load(&arrival_of(t, at)->epoch) != at) return 0;
  return 1;
}

int upcr_barrier_is_complete(uint32_t at) {
  return everyone_looks ? all_arrived(at)
                        : upcr_reached(atomic_load(&upcr_control->released.value), at);
}

static void arrive(enum upcr_kind kind, int named, int value, const char *file, int line,
                   int status) {
  uint32_t at = ++epoch;
  struct upcr_arrival *mine = arrival_of(upcr_mythread, at);
  mine->kind = (uint8_t)kind;
  mine->named = named != 0;
  mine->value = value;
  mine->file = file;
  mine->line = line;
  mine->status = status;
  if (!everyone_looks) {
    atomic_store_explicit(&mine->epoch, at, memory_order_release);
    climb(at);
    return;
  }
  /* Sequentially consistent, as is a sleeper's order: count itself, then look. One of the two sees
   * the other. */
  atomic_store(&mine->epoch, at);
  if (atomic_load(&upcr_control->released.sleepers) && all_arrived(at))
    upcr_flag_set(&upcr_control->released, at);
}

/* ---- Waiting ---- */

static void sleep_until_all_arrived(uint32_t at) {
  atomic_fetch_add(&upcr_control->released.sleepers, 1);
  upcr_sleep_begin(UPCR_FOR_BARRIER, &upcr_control->released, at);
  for (;;) {
    uint32_t seen = atomic_load(&upcr_control->released.value);
    if (all_arrived(at)) break;
    upcr_sleep(&upcr_control->released.value, seen);
  }
  upcr_sleep_end();
  atomic_fetch_sub(&upcr_control->released.sleepers, 1);
}

static void look_at_all(uint32_t at) {
  const struct upcr_arrival *mine = arrival_of(upcr_mythread, at);
  int left = upcr_spins;
  for (int t = 0; t < upcr_threads; t++) {
    const struct upcr_arrival *other = arrival_of(t, at);
    while (atomic_load_explicit(&other->epoch, memory_order_acquire) != at) {
      if (left-- > 0) {
        upcr_pause();
      } else {
        upcr_waiting++;
        sleep_until_all_arrived(at);
        upcr_waiting--;
      }
    }
    if (differ(mine, other)) mismatch(upcr_mythread, t, at);
  }
}

static void depart(void) {
  if (everyone_looks) look_at_all(epoch);
  else upcr_flag_await(&upcr_control->released, epoch, UPCR_FOR_BARRIER);
  upcr_collectives_finished = upcr_collectives;
}

/* The value of the latest barrier, which is complete, and a thread that gave it; -1 if no thread
 * did. */
static int named_thread(void) {
  if (!everyone_looks) {
    int level = 0, members = (upcr_threads + FAN_IN - 1) / FAN_IN;
    for (; members > 1; level++) members = (members + FAN_IN - 1) / FAN_IN;
    int thread = (int)upcr_control->nodes[first_node[level]].representative[epoch & 1];
    return arrival_of(thread, epoch)->named ? thread : -1;
  }
  for (int t = 0; t < upcr_threads; t++)
    if (arrival_of(t, epoch)->named) return t;
  return -1;
}

/* ---- Entry points ---- */

static void refuse_if_notified(const char *what, const char *file, int line) {
  const struct upcr_arrival *mine = arrival_of(upcr_mythread, epoch);
  if (notified)
    upcr_fatal("thread %d is at %s%s, but it has called upc_notify%s and not yet upc_wait",
               upcr_mythread, what, upcr_at(file, line), upcr_at(mine->file, mine->line));
}

void upcr_notify(int named, int value, const char *file, int line) {
  refuse_if_notified("upc_notify", file, line);
  notified = 1;
  arrive(UPCR_AT_BARRIER, named, value, file, line, 0);
}

void upcr_wait(int named, int value, const char *file, int line) {
  if (!notified)
    upcr_fatal("thread %d is at upc_wait%s, but it has not called upc_notify before", upcr_mythread,
               upcr_at(file, line));
  depart();
  notified = 0;
  if (named) {
    int thread = named_thread();
    const struct upcr_arrival *other = thread < 0 ? NULL : arrival_of(thread, epoch);
    if (other != NULL && other->value != value)
      upcr_fatal("thread %d is at upc_wait with the value %d%s, but thread %d was at upc_notify "
                 "with the value %d%s: "
                 "the values must be equal",
                 upcr_mythread, value, upcr_at(file, line), thread, other->value,
                 upcr_at(other->file, other->line));
  }
}

void upcr_barrier(int named, int value, const char *file, int line) {
  refuse_if_notified("upc_barrier", file, line);
  arrive(UPCR_AT_BARRIER, named, value, file, line, 0);
  depart();
}

void upcr_synchronize(enum upcr_kind kind, int status) {
  if (kind == UPCR_AT_END && notified && status != 0) {
    const struct upcr_arrival *mine = arrival_of(upcr_mythread, epoch);
    if (upcr_claim_end(status))
      upcr_say("thread %d ended with status %d between upc_notify%s and upc_wait: all threads end",
               upcr_mythread, status, upcr_at(mine->file, mine->line));
    upcr_leave();
  }
  refuse_if_notified(upcr_kind_names[kind], NULL, 0);
  arrive(kind, 0, 0, NULL, 0, status);
  depart();
}

void upcr_keep_together(enum upcr_kind kind) {
  if (upcr_allocations_synchronize && !notified && upcr_threads > 1) upcr_synchronize(kind, 0);
}

void upcr_fence(const char *file, int line) {
  (void)file;
  (void)line;
  /* A loop with a fence may wait, as one with strict reads. */
  upcr_read_strictly();
  atomic_thread_fence(memory_order_seq_cst);
}
