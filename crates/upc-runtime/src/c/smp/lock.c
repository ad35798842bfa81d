/* UPC locks. Taking a free lock is one atomic instruction. A thread that finds it taken spins for a
 * while, then sleeps; a sleeper that was passed over for a millisecond gets the lock handed over,
 * so that no thread starves. */
#define _GNU_SOURCE
#include <string.h>
#include <time.h>

#include "runtime.h"

/* Bits of the state; the number of sleepers is above them. */
#define TAKEN 1u
#define HAND_OVER 2u
#define SLEEPER 4u
#define PATIENCE_NS 1000000l

#define MAGIC 0x55504c4bu
#define FREED 0x46524544u

struct upcr_lock {
  _Atomic uint32_t state;
  _Atomic uint32_t turn; /* what sleepers sleep on: changes with every release that concerns them */
  _Atomic uint32_t granted; /* the lock is still TAKEN, for the sleeper that gets here first */
  _Atomic int holder;       /* thread + 1, 0 for nobody */
  uint32_t magic;
  _Atomic uint32_t free_arrivals;
};

static struct upcr_lock *check(upcr_pts p, const char *call) {
  if (p.addr == 0) upcr_fatal("thread %d: %s of a null pointer", upcr_mythread, call);
  struct upcr_lock *lock = upcr_local(p.addr);
  if (__builtin_expect(lock->magic != MAGIC, 0))
    upcr_fatal("thread %d: %s of something that is not a lock, or was freed", upcr_mythread, call);
  return lock;
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

static int try(struct upcr_lock *lock) {
  uint32_t state = atomic_load_explicit(&lock->state, memory_order_relaxed);
  return (state & (TAKEN | HAND_OVER)) == 0 &&
         atomic_compare_exchange_strong_explicit(&lock->state, &state, state | TAKEN,
                                                 memory_order_seq_cst, memory_order_relaxed);
}

int upcr_lock_holder(const void *object) {
  const struct upcr_lock *lock = object;
  int holder = atomic_load(&lock->holder);
  return (atomic_load(&lock->state) & TAKEN) == 0 || atomic_load(&lock->granted) != 0 ? -1
                                                                                      : holder - 1;
}

static long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000l + t.tv_nsec;
}

static void sleep_for(struct upcr_lock *lock) {
  long begin = now();
  atomic_fetch_add(&lock->state, SLEEPER);
  upcr_sleep_begin(UPCR_FOR_LOCK, lock, 0);
  for (;;) {
    uint32_t turn = atomic_load(&lock->turn);
    uint32_t grant = 1;
    if (atomic_compare_exchange_strong(&lock->granted, &grant, 0)) {
      atomic_fetch_sub(&lock->state, SLEEPER);
      break;
    }
    uint32_t state = atomic_load(&lock->state);
    if ((state & TAKEN) == 0) {
      if (atomic_compare_exchange_strong(&lock->state, &state, (state | TAKEN) - SLEEPER)) break;
      continue;
    }
    if ((state & HAND_OVER) == 0 && now() - begin > PATIENCE_NS) {
      /* Look again: the lock may have been released before the bit was set. */
      atomic_fetch_or(&lock->state, HAND_OVER);
      continue;
    }
    upcr_sleep(&lock->turn, turn);
  }
  upcr_sleep_end();
  /* Handing over costs a change of context each time: stop it when the sleepers are gone or wait
   * little. */
  int enough = now() - begin < PATIENCE_NS;
  uint32_t state = atomic_load(&lock->state);
  while ((state & HAND_OVER) != 0 && (enough || state < SLEEPER) &&
         !atomic_compare_exchange_weak(&lock->state, &state, state & ~HAND_OVER)) {
  }
}

UPCR_LIBRARY void upc_lock(upcr_pts p) {
  struct upcr_lock *lock = check(p, "upc_lock");
  if (!try(lock)) {
    if (atomic_load_explicit(&lock->holder, memory_order_relaxed) == upcr_mythread + 1)
      upcr_fatal("thread %d: upc_lock of a lock that this thread already holds", upcr_mythread);
    upcr_waiting++;
    int taken = 0;
    for (int i = 0; i < upcr_spins && !taken; i++) {
      upcr_pause();
      taken = try(lock);
    }
    if (!taken) sleep_for(lock);
    upcr_waiting--;
  }
  atomic_store_explicit(&lock->holder, upcr_mythread + 1, memory_order_relaxed);
}

UPCR_LIBRARY int upc_lock_attempt(upcr_pts p) {
  struct upcr_lock *lock = check(p, "upc_lock_attempt");
  if (!try(lock)) {
    if (upcr_spins == 0) upcr_let_others_run();
    return 0;
  }
  atomic_store_explicit(&lock->holder, upcr_mythread + 1, memory_order_relaxed);
  return 1;
}

UPCR_LIBRARY void upc_unlock(upcr_pts p) {
  struct upcr_lock *lock = check(p, "upc_unlock");
  int holder = atomic_load_explicit(&lock->holder, memory_order_relaxed);
  if (__builtin_expect(holder != upcr_mythread + 1, 0)) {
    if (holder == 0)
      return upcr_complain("thread %d: upc_unlock of a lock that nobody holds", upcr_mythread);
    upcr_complain("thread %d: upc_unlock of a lock that thread %d holds", upcr_mythread,
                  holder - 1);
  }
  atomic_store_explicit(&lock->holder, 0, memory_order_relaxed);
  uint32_t state = TAKEN;
  if (atomic_compare_exchange_strong(&lock->state, &state, 0)) return;
  for (;;) {
    if ((state & HAND_OVER) != 0 && state >= SLEEPER) {
      atomic_store(&lock->granted, 1);
      break;
    }
    if (atomic_compare_exchange_weak(&lock->state, &state, state & ~(TAKEN | HAND_OVER))) break;
  }
  if (state >= SLEEPER) {
    atomic_fetch_add(&lock->turn, 1);
    upcr_futex_wake(&lock->turn, 1);
  }
}

static int was_freed(upcr_pts p, const char *call) {
  int freed =
      &upcr_checks == NULL &&
      __atomic_load_n(&((struct upcr_lock *)upcr_local(p.addr))->magic, __ATOMIC_ACQUIRE) == FREED;
  if (freed) upcr_complain("thread %d: %s of a lock that was freed before", upcr_mythread, call);
  return freed;
}

/* Two threads may free the same lock at once: only the one that changes the mark frees it. */
static void release(upcr_pts p, const char *call) {
  uint32_t mark = MAGIC;
  struct upcr_lock *lock = upcr_local(p.addr);
  if (!__atomic_compare_exchange_n(&lock->magic, &mark, FREED, 0, __ATOMIC_ACQ_REL,
                                   __ATOMIC_ACQUIRE)) {
    if (was_freed(p, call)) return;
    check(p, call);
  }
  if (&upcr_checks != NULL) upcr_checks.freeing(p, 1, call);
  else upcr_heap_free(p, call);
}

UPCR_LIBRARY void upc_lock_free(upcr_pts p) {
  if (p.addr != 0) release(p, "upc_lock_free");
}

/* The last thread frees it. */
UPCR_LIBRARY void upc_all_lock_free(upcr_pts p) {
  if (p.addr == 0 || was_freed(p, "upc_all_lock_free")) return;
  struct upcr_lock *lock = check(p, "upc_all_lock_free");
  if (atomic_fetch_add(&lock->free_arrivals, 1) + 1 == (uint32_t)upcr_threads)
    release(p, "upc_all_lock_free");
  upcr_keep_together(UPCR_AT_ALL_LOCK_FREE);
}
