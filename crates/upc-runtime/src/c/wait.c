/* Waiting for another thread: look for a while where every thread has a core, then sleep on a
 * futex. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime.h"

int upcr_spins;
__thread volatile int upcr_waiting;

/* A look takes some 10 to 40 ns, so this is about 50 us: longer than it takes to fall asleep and be
 * woken. */
#define SPINS 2000

void upcr_wait_start(int cores, int sharing) { upcr_spins = cores >= sharing ? SPINS : 0; }

void upcr_futex_wait(_Atomic uint32_t *word, uint32_t while_equal, int seconds) {
  struct timespec limit = {seconds, 0};
  int error = errno; /* a program may look at it only after a barrier */
  syscall(SYS_futex, word, FUTEX_WAIT, while_equal, seconds != 0 ? &limit : NULL, NULL, 0);
  errno = error;
}

void upcr_futex_wake(_Atomic uint32_t *word, int how_many) {
  syscall(SYS_futex, word, FUTEX_WAKE, how_many, NULL, NULL, 0);
}

void upcr_flag_set(struct upcr_flag *flag, uint32_t value) {
  /* Sequentially consistent, as is a sleeper's order: count itself, then look. One of the two sees
   * the other. */
  atomic_store(&flag->value, value);
  if (atomic_load(&flag->sleepers)) upcr_futex_wake(&flag->value, INT32_MAX);
}

void upcr_flag_await(struct upcr_flag *flag, uint32_t value, enum upcr_reason reason) {
  if (upcr_reached(atomic_load_explicit(&flag->value, memory_order_acquire), value)) return;
  upcr_waiting++;
#ifdef UPCR_MPI
  if (upcr_poll_until(flag, value)) goto done;
#else
  for (int i = 0; i < upcr_spins; i++) {
    if (upcr_reached(atomic_load_explicit(&flag->value, memory_order_acquire), value)) goto done;
    upcr_pause();
  }
#endif
  atomic_fetch_add(&flag->sleepers, 1);
  upcr_sleep_begin(reason, flag, value);
  for (;;) {
    uint32_t seen = atomic_load(&flag->value);
    if (upcr_reached(seen, value)) break;
    upcr_sleep(&flag->value, seen);
  }
  upcr_sleep_end();
  atomic_fetch_sub(&flag->sleepers, 1);
done:
  upcr_waiting--;
}

__thread volatile int upcr_guards_held;

/* 0 free, 1 taken, 2 taken and somebody may sleep. */
void upcr_guard_enter(struct upcr_guard *guard) {
  upcr_guards_held++;
  atomic_signal_fence(memory_order_seq_cst);
  uint32_t expected = 0;
  if (atomic_compare_exchange_strong_explicit(&guard->state, &expected, 1, memory_order_acquire,
                                              memory_order_relaxed))
    return;
  for (int i = 0; i < upcr_spins / 8; i++) {
    expected = 0;
    if (atomic_compare_exchange_weak_explicit(&guard->state, &expected, 1, memory_order_acquire,
                                              memory_order_relaxed))
      return;
    upcr_pause();
  }
  while (atomic_exchange_explicit(&guard->state, 2, memory_order_acquire) != 0)
    upcr_futex_wait(&guard->state, 2, 0);
}

int upcr_guard_try(struct upcr_guard *guard) {
  uint32_t expected = 0;
  if (atomic_load_explicit(&guard->state, memory_order_relaxed) != 0) return 0;
  upcr_guards_held++;
  atomic_signal_fence(memory_order_seq_cst);
  if (atomic_compare_exchange_strong_explicit(&guard->state, &expected, 1, memory_order_acquire,
                                              memory_order_relaxed))
    return 1;
  upcr_guards_held--;
  return 0;
}

void upcr_guard_leave(struct upcr_guard *guard) {
  if (atomic_exchange_explicit(&guard->state, 0, memory_order_release) == 2)
    upcr_futex_wake(&guard->state, 1);
  atomic_signal_fence(memory_order_seq_cst);
  upcr_guards_held--;
}
