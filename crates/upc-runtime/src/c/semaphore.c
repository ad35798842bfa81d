/* Semaphores between threads (bupc_sem.h): a value that posts raise and waits lower. Posting a
 * semaphore that nobody sleeps for is two atomic instructions. */
#include <string.h>

#include "upcr_bupc_sem.h"
#include "runtime.h"

#define MAGIC 0x55505345u

struct upcr_semaphore {
  _Atomic uint32_t value;
  _Atomic uint32_t turn; /* what sleepers sleep on: changes with every post */
  _Atomic uint32_t sleepers;
  uint32_t magic;
  int boolean;
#ifdef UPCR_MPI
  _Atomic int far_waiters; /* threads of other nodes, of which the owner's process has a list */
#endif
};

static struct upcr_semaphore *check(upcr_pts p, const char *call) {
  int thread = upcr_thread_of(p.addr);
  if (p.addr == 0) upcr_fatal("thread %d: %s of a null pointer", upcr_actor(), call);
  struct upcr_semaphore *s = upcr_local(p.addr);
  if (thread < 0 || thread >= upcr_threads || __builtin_expect(s->magic != MAGIC, 0))
    upcr_fatal("thread %d: %s of something that is not a semaphore, or was freed", upcr_actor(),
               call);
  return s;
}

#ifdef UPCR_MPI
static int is_far(upcr_pts p) {
  int thread = upcr_thread_of(p.addr);
  return thread >= 0 && thread < upcr_threads && !upcr_is_near(p.addr);
}
#define far_post upcr_far_post
#define far_take upcr_far_take
#define far_free upcr_far_free_semaphore
#else
static inline int is_far(upcr_pts p) {
  (void)p;
  return 0;
}
static inline void far_post(upcr_pts p, unsigned long n, const char *call) {
  upcr_semaphore_post_here(p, n, call);
}
static inline int far_take(upcr_pts p, unsigned long n, int waits, const char *call) {
  return upcr_semaphore_take(p, n, waits, call);
}
static inline void far_free(upcr_pts p) { upcr_semaphore_free(p); }
#endif

UPCR_LIBRARY upcr_pts bupc_sem_alloc(int flags) {
  if ((flags & BUPC_SEM_BOOLEAN) != 0 && (flags & BUPC_SEM_INTEGER) != 0)
    upcr_fatal("thread %d: bupc_sem_alloc with both BUPC_SEM_BOOLEAN and BUPC_SEM_INTEGER",
               upcr_mythread);
  upcr_addr_t addr =
      upcr_heap_local(upcr_mythread, sizeof(struct upcr_semaphore), "bupc_sem_alloc");
  struct upcr_semaphore *s = upcr_local(addr);
  memset(s, 0, sizeof *s);
  s->boolean = (flags & BUPC_SEM_BOOLEAN) != 0;
  s->magic = MAGIC;
  return upcr_make(addr, 0);
}

void upcr_semaphore_free(upcr_pts p) {
  check(p, "bupc_sem_free")->magic = 0;
  upcr_heap_free(p, "bupc_sem_free");
}

UPCR_LIBRARY void bupc_sem_free(upcr_pts p) {
  if (p.addr == 0) return;
  if (is_far(p)) far_free(p);
  else upcr_semaphore_free(p);
}

/* ---- Posting ---- */

static void post(struct upcr_semaphore *s, unsigned long n, const char *call) {
  uint32_t value = atomic_load_explicit(&s->value, memory_order_relaxed), after;
  if (n == 0) return;
  do {
    if (!s->boolean && n > BUPC_SEM_MAXVALUE - (unsigned long)value)
      upcr_fatal("thread %d: %s raises a semaphore's value to %lu, more than BUPC_SEM_MAXVALUE",
                 upcr_mythread, call, value + n);
    after = s->boolean ? 1 : value + (uint32_t)n;
    /* Sequentially consistent, as is a sleeper's order: count itself, then look. One of the two
     * sees the other. */
  } while (!atomic_compare_exchange_weak(&s->value, &value, after));
  if (atomic_load(&s->sleepers) != 0) {
    atomic_fetch_add(&s->turn, 1);
    upcr_futex_wake(&s->turn, INT32_MAX);
  }
#ifdef UPCR_MPI
  if (atomic_load(&s->far_waiters) != 0) upcr_serve_far_waiters((upcr_addr_t)s);
#endif
}

void upcr_semaphore_post_here(upcr_pts p, unsigned long n, const char *call) {
  post(check(p, call), n, call);
}

void upcr_semaphore_post(upcr_pts p, unsigned long n, const char *call) {
  /* A thread that has waited must see earlier writes. */
  upcr_settle_far();
  if (is_far(p)) far_post(p, n, call);
  else upcr_semaphore_post_here(p, n, call);
}

UPCR_LIBRARY void bupc_sem_post(upcr_pts p) { upcr_semaphore_post(p, 1, "bupc_sem_post"); }
UPCR_LIBRARY void bupc_sem_postN(upcr_pts p, unsigned long n) {
  upcr_semaphore_post(p, n, "bupc_sem_postN");
}

UPCR_LIBRARY void bupc_memput_signal(upcr_pts to, const void *from, unsigned long bytes, upcr_pts p,
                                     unsigned long n) {
  upcr_put_bytes(to.addr, from, bytes);
  upcr_semaphore_post(p, n, "bupc_memput_signal");
}
UPCR_LIBRARY void bupc_memput_signal_async(upcr_pts to, const void *from, unsigned long bytes,
                                           upcr_pts p, unsigned long n) {
  upcr_put_bytes(to.addr, from, bytes);
  upcr_semaphore_post(p, n, "bupc_memput_signal_async");
}

/* ---- Waiting ---- */

int upcr_semaphore_has(const void *object, uint32_t value) {
  return atomic_load(&((struct upcr_semaphore *)object)->value) >= value;
}

static int try(struct upcr_semaphore *s, unsigned long n) {
  uint32_t value = atomic_load(&s->value);
  while (value >= n)
    if (atomic_compare_exchange_weak(&s->value, &value, value - (uint32_t)n)) return 1;
  return 0;
}

#ifdef UPCR_MPI
int upcr_semaphore_take_late(upcr_addr_t addr, unsigned long n) {
  struct upcr_semaphore *s = upcr_local(addr);
  if (s->magic != MAGIC || !try(s, n)) return 0;
  atomic_fetch_sub(&s->far_waiters, 1);
  return 1;
}
#endif

static void check_value(const struct upcr_semaphore *s, unsigned long n, const char *call) {
  unsigned long most = s->boolean ? 1 : BUPC_SEM_MAXVALUE;
  if (n > most)
    upcr_fatal(
        "thread %d: %s for a value of %lu, but the semaphore's value cannot be more than %lu",
        upcr_actor(), call, n, most);
}

static void await_here(struct upcr_semaphore *s, unsigned long n) {
  if (try(s, n)) return;
  upcr_waiting++;
  for (int i = 0; i < upcr_spins; i++) {
    upcr_pause();
    if (try(s, n)) goto done;
  }
  atomic_fetch_add(&s->sleepers, 1);
  upcr_sleep_begin(UPCR_FOR_SEMAPHORE, s, (uint32_t)n);
  for (;;) {
    uint32_t turn = atomic_load(&s->turn);
    if (try(s, n)) break;
    upcr_sleep(&s->turn, turn);
  }
  upcr_sleep_end();
  atomic_fetch_sub(&s->sleepers, 1);
done:
  upcr_waiting--;
}

int upcr_semaphore_take(upcr_pts p, unsigned long n, int waits, const char *call) {
  struct upcr_semaphore *s = check(p, call);
  if (waits) check_value(s, n, call);
#ifdef UPCR_MPI
  /* Counted before the look, as a sleeper is. */
  if (waits) atomic_fetch_add(&s->far_waiters, 1);
#endif
  int taken = try(s, n);
#ifdef UPCR_MPI
  if (waits && taken) atomic_fetch_sub(&s->far_waiters, 1);
#endif
  return taken;
}

static void await(upcr_pts p, unsigned long n, const char *call) {
  if (is_far(p)) {
    far_take(p, n, 1, call);
  } else {
    struct upcr_semaphore *s = check(p, call);
    check_value(s, n, call);
    await_here(s, n);
  }
  upcr_settle_far();
}

UPCR_LIBRARY void bupc_sem_wait(upcr_pts p) { await(p, 1, "bupc_sem_wait"); }
UPCR_LIBRARY void bupc_sem_waitN(upcr_pts p, unsigned long n) { await(p, n, "bupc_sem_waitN"); }
static int attempt(upcr_pts p, unsigned long n, const char *call) {
  int taken = is_far(p) ? far_take(p, n, 0, call) : try(check(p, call), n);
  if (taken) upcr_settle_far();
  else if (upcr_spins == 0) upcr_let_others_run();
  return taken;
}
UPCR_LIBRARY int bupc_sem_try(upcr_pts p) { return attempt(p, 1, "bupc_sem_try"); }
UPCR_LIBRARY int bupc_sem_tryN(upcr_pts p, unsigned long n) {
  return attempt(p, n, "bupc_sem_tryN");
}
