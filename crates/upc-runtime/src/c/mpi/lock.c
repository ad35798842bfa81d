/* UPC locks over several nodes. A lock keeps the queue of those that wait for it, first come first
 * served; its owner's node works on it, for threads elsewhere by messages. A thread waits for one
 * lock at a time, so the links of all queues of a node fit into one for each thread. */
#include <time.h>

#include "network.h"

#define MAGIC 0x55504c4bu
#define FREED 0x46524544u

struct upcr_lock {
  struct upcr_guard guard;
  int holder;      /* thread + 1, 0 for nobody */
  int first, last; /* of the queue, likewise */
  uint32_t magic;
  _Atomic uint32_t free_arrivals;
};

__thread int upcr_acting_for;

static struct upcr_lock *check(upcr_addr_t addr, const char *call) {
  struct upcr_lock *lock = upcr_local(addr);
  if (__builtin_expect(lock->magic != MAGIC, 0))
    upcr_fatal("thread %d: %s of something that is not a lock, or was freed", upcr_actor(), call);
  return lock;
}

static void check_pointer(upcr_pts p, const char *call) {
  if (p.addr == 0) upcr_fatal("thread %d: %s of a null pointer", upcr_mythread, call);
  if (!upcr_is_near(p.addr)) upcr_check_far(p.addr, sizeof(struct upcr_lock), call);
}

static upcr_addr_t create(const char *call) {
  upcr_addr_t addr =
      upcr_heap_local(upcr_mythread, sizeof(struct upcr_lock) + upcr_red_zone(), call);
  struct upcr_lock *lock = upcr_local(addr);
  memset(lock, 0, sizeof *lock);
  lock->magic = MAGIC;
  if (&upcr_checks != NULL) upcr_checks.allocated(addr, 1, sizeof(struct upcr_lock), 1, call);
  return addr;
}

UPCR_LIBRARY upcr_pts upc_global_lock_alloc(void) {
  return upcr_make(create("upc_global_lock_alloc"), 0);
}

UPCR_LIBRARY upcr_pts upc_all_lock_alloc(void) {
  upcr_addr_t addr = upcr_publish(upcr_mythread == 0 ? create("upc_all_lock_alloc") : 0);
  upcr_keep_together(UPCR_AT_ALL_LOCK_ALLOC);
  return upcr_make(addr, 0);
}

/* ---- On the owner's node ---- */

/* Whether the thread has the lock now; else it is in the queue, if it waits. */
static int take(struct upcr_lock *lock, int thread, int waits) {
  upcr_guard_enter(&lock->guard);
  int taken = lock->holder == 0, twice = lock->holder == thread + 1;
  if (taken) {
    lock->holder = thread + 1;
  } else if (waits && !twice) {
    upcr_control->threads[thread].next_waiter = 0;
    if (lock->first == 0) lock->first = thread + 1;
    else upcr_control->threads[lock->last - 1].next_waiter = thread + 1;
    lock->last = thread + 1;
  }
  upcr_guard_leave(&lock->guard);
  if (twice && waits)
    upcr_fatal("thread %d: upc_lock of a lock that this thread already holds", thread);
  return taken;
}

static void let_know(int thread, int is_inside) {
  if (upcr_is_near_thread(thread)) {
    struct upcr_flag *granted = &upcr_control->threads[thread].granted;
    upcr_flag_set(granted, atomic_load(&granted->value) + 1);
    return;
  }
  struct upcr_message message = {.kind = UPCR_GRANT};
  if (!is_inside) upcr_network_enter();
  upcr_send(thread, &message, NULL, 0);
  if (!is_inside) upcr_network_leave();
}

/* Gives the lock to the first that waits. */
static void give(struct upcr_lock *lock, int thread, int is_inside) {
  upcr_guard_enter(&lock->guard);
  int holder = lock->holder, next = lock->first;
  lock->holder = next;
  if (next != 0) lock->first = upcr_control->threads[next - 1].next_waiter;
  upcr_guard_leave(&lock->guard);
  if (holder != thread + 1) {
    if (holder == 0)
      return upcr_complain("thread %d: upc_unlock of a lock that nobody holds", thread);
    upcr_complain("thread %d: upc_unlock of a lock that thread %d holds", thread, holder - 1);
  }
  if (next != 0) let_know(next - 1, is_inside);
}

int upcr_lock_holder(const void *lock) { return ((const struct upcr_lock *)lock)->holder - 1; }

void upcr_handle_lock(int from, const struct upcr_message *message) {
  upcr_acting_for = from + 1;
  int waits = message->token == 0;
  struct upcr_lock *lock = check(message->word[0], waits ? "upc_lock" : "upc_lock_attempt");
  int taken = take(lock, from, waits);
  if (!waits) upcr_reply(from, message, (uint64_t)taken, NULL, 0);
  else if (taken) let_know(from, 1);
  upcr_acting_for = 0;
}

void upcr_handle_unlock(int from, const struct upcr_message *message) {
  upcr_acting_for = from + 1;
  give(check(message->word[0], "upc_unlock"), from, 1);
  upcr_acting_for = 0;
  upcr_acknowledge(from, message);
}

void upcr_handle_grant(int from, const struct upcr_message *message) {
  (void)from;
  (void)message;
  let_know(upcr_mythread, 1);
}

/* ---- Entry points ---- */

UPCR_LIBRARY void upc_lock(upcr_pts p) {
  check_pointer(p, "upc_lock");
  upcr_settle_far();
  struct upcr_flag *granted = &upcr_control->threads[upcr_mythread].granted;
  uint32_t grant = atomic_load(&granted->value) + 1;
  if (upcr_is_near(p.addr)) {
    if (!take(check(p.addr, "upc_lock"), upcr_mythread, 1))
      upcr_flag_await(granted, grant, UPCR_FOR_LOCK);
  } else {
    struct upcr_message message = {.kind = UPCR_LOCK, .word = {p.addr}};
    upcr_waiting++;
    upcr_network_enter();
    upcr_send(upcr_thread_of(p.addr), &message, NULL, 0);
    upcr_network_leave();
    upcr_await_message(granted, grant, upcr_thread_of(p.addr), UPCR_FOR_LOCK);
    upcr_waiting--;
  }
  atomic_thread_fence(memory_order_seq_cst);
}

UPCR_LIBRARY int upc_lock_attempt(upcr_pts p) {
  check_pointer(p, "upc_lock_attempt");
  upcr_settle_far();
  int taken;
  if (upcr_is_near(p.addr)) {
    taken = take(check(p.addr, "upc_lock_attempt"), upcr_mythread, 0);
    if (!taken && upcr_spins == 0) upcr_let_others_run();
  } else {
    struct upcr_message message = {.kind = UPCR_LOCK, .word = {p.addr}};
    struct upcr_pending pending = {.to = NULL};
    upcr_request_reply(upcr_thread_of(p.addr), &message, NULL, 0, &pending);
    taken = (int)pending.word[0];
  }
  atomic_thread_fence(memory_order_seq_cst);
  return taken;
}

UPCR_LIBRARY void upc_unlock(upcr_pts p) {
  check_pointer(p, "upc_unlock");
  upcr_settle_far();
  atomic_thread_fence(memory_order_seq_cst);
  if (upcr_is_near(p.addr)) {
    give(check(p.addr, "upc_unlock"), upcr_mythread, 0);
    return;
  }
  /* Acknowledged, as a write: whoever learns of it after a barrier finds the lock free. */
  struct upcr_message message = {.kind = UPCR_UNLOCK, .word = {p.addr}};
  upcr_far_write_later(upcr_thread_of(p.addr), &message, NULL, 0);
}

/* ---- Freeing ---- */

static int was_freed(upcr_addr_t addr, const char *call) {
  uint32_t magic = __atomic_load_n(&((struct upcr_lock *)upcr_local(addr))->magic, __ATOMIC_ACQUIRE);
  int freed = &upcr_checks == NULL && magic == FREED;
  if (freed) upcr_complain("thread %d: %s of a lock that was freed before", upcr_actor(), call);
  return freed;
}

/* Two threads may free the same lock at once: only the one that changes the mark frees it. */
static void release(upcr_addr_t addr, const char *call) {
  uint32_t mark = MAGIC;
  struct upcr_lock *lock = upcr_local(addr);
  if (!__atomic_compare_exchange_n(&lock->magic, &mark, FREED, 0, __ATOMIC_ACQ_REL,
                                   __ATOMIC_ACQUIRE)) {
    if (was_freed(addr, call)) return;
    check(addr, call);
  }
  if (&upcr_checks != NULL) upcr_checks.freeing(upcr_make(addr, 0), 1, call);
  else upcr_heap_free(upcr_make(addr, 0), call);
}

/* The last thread frees it. */
static void release_together(upcr_addr_t addr, const char *call) {
  if (was_freed(addr, call)) return;
  struct upcr_lock *lock = check(addr, call);
  if (atomic_fetch_add(&lock->free_arrivals, 1) + 1 == (uint32_t)upcr_threads) release(addr, call);
}

static void free_here(upcr_addr_t addr, int together) {
  if (together) release_together(addr, "upc_all_lock_free");
  else release(addr, "upc_lock_free");
}

void upcr_handle_lock_free(int from, const struct upcr_message *message) {
  upcr_acting_for = from + 1;
  free_here(message->word[0], (int)message->word[1]);
  upcr_acting_for = 0;
  upcr_acknowledge(from, message);
}

static void free_lock(upcr_pts p, int together) {
  if (upcr_is_near(p.addr)) {
    free_here(p.addr, together);
    return;
  }
  check_pointer(p, together ? "upc_all_lock_free" : "upc_lock_free");
  struct upcr_message message = {.kind = UPCR_LOCK_FREE, .word = {p.addr, (uint64_t)together}};
  upcr_far_write_later(upcr_thread_of(p.addr), &message, NULL, 0);
}

UPCR_LIBRARY void upc_lock_free(upcr_pts p) {
  if (p.addr != 0) free_lock(p, 0);
}

UPCR_LIBRARY void upc_all_lock_free(upcr_pts p) {
  if (p.addr == 0) return;
  free_lock(p, 1);
  upcr_keep_together(UPCR_AT_ALL_LOCK_FREE);
}
