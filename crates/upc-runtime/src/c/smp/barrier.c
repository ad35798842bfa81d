/* Barriers, also in split phase. A thread arrives by writing what it arrives at into a line of its
 * own; that never waits. With few threads that each have a core, whoever waits looks at all the
 * lines; else arrivals are counted up a tree whose last arrival releases everybody. Both ways the
 * values of named barriers meet, and so do arrivals at different things, which would be a silent
 * hang otherwise. */
#include "barrier_arrivals.h"

/* Up to here every thread looks at every other one, if it has a core to do so. */
#define ALL_LOOK_AT_ALL 16
#define FAN_IN 8

static int everyone_looks;
static int first_node[8]; /* of each level of the tree */

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

#include "barrier_entries.h"
