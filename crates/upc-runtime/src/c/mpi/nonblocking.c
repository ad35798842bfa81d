/* The libraries of upc_nb.h and bupc_async.h without lists. A transfer with memory of this node is
 * complete when the call that begins it returns, and has the handle NULL; one with another node
 * goes on while the program computes. */
#include <stdlib.h>
#include <time.h>

#include "network.h"

#define MAGIC 0x5550434eu

/* A transfer under way, or all transfers of a region. */
struct upcr_transfer {
  uint32_t magic;
  struct upcr_transfer *next; /* without a handle of its own */
  struct upcr_pending pending;
  upcr_addr_t addr; /* the far place; 0 for a region */
  unsigned long bytes;
  struct upcr_transfer *all;
};

/* Those without a handle of their own. */
static struct upcr_transfer *implicit;
static int in_region;
static struct upcr_transfer *outside; /* of the region */

/* Transfers come out of groups, so that any pointer can be told to be one or not. */
#define GROUP 256
struct group {
  struct group *next;
  struct upcr_transfer transfers[GROUP];
};
static struct group *groups;
static struct upcr_transfer *unused;

static struct upcr_transfer *begin(upcr_addr_t addr, unsigned long bytes) {
  if (unused == NULL) {
    struct group *fresh = calloc(1, sizeof *fresh);
    if (fresh == NULL) upcr_fatal("thread %d: no memory is left for a transfer", upcr_mythread);
    fresh->next = groups;
    groups = fresh;
    for (int i = 0; i < GROUP; i++) {
      fresh->transfers[i].next = unused;
      unused = &fresh->transfers[i];
    }
  }
  struct upcr_transfer *t = unused;
  unused = t->next;
  *t = (struct upcr_transfer){.magic = MAGIC, .addr = addr, .bytes = bytes};
  return t;
}

static void end(struct upcr_transfer *t) {
  t->magic = 0;
  t->next = unused;
  unused = t;
}

static int is_transfer(const struct upcr_transfer *t) {
  for (const struct group *g = groups; g != NULL; g = g->next) {
    uintptr_t distance = (uintptr_t)t - (uintptr_t)g->transfers;
    if (distance < sizeof g->transfers && distance % sizeof *t == 0) return t->magic == MAGIC;
  }
  return 0;
}

/* ---- Transfers; null where all is done ---- */

static struct upcr_transfer *get(void *to, upcr_addr_t from, unsigned long n) {
  if (n == 0 || upcr_is_near(from) || n > UPCR_LONGEST) {
    upcr_get_bytes(to, from, n);
    return NULL;
  }
  upcr_check_far(from, n, "read");
  upcr_far_past_cache(from, n);
  struct upcr_transfer *t = begin(from, n);
  upcr_far_get_later(&t->pending, to, from, n);
  return t;
}

static struct upcr_transfer *put(upcr_addr_t to, const void *from, unsigned long n) {
  if (n == 0 || upcr_is_near(to) || n > UPCR_LONGEST) {
    upcr_put_bytes(to, from, n);
    return NULL;
  }
  upcr_check_far(to, n, "write");
  upcr_far_past_cache(to, n);
  struct upcr_transfer *t = begin(to, n);
  upcr_far_put_later(&t->pending, to, from, n);
  return t;
}

static struct upcr_transfer *copy(upcr_addr_t to, upcr_addr_t from, unsigned long n) {
  if (upcr_is_near(from)) return put(to, upcr_local(from), n);
  if (upcr_is_near(to)) return get(upcr_local(to), from, n);
  upcr_copy_bytes(to, from, n);
  return NULL;
}

static struct upcr_transfer *set(upcr_addr_t to, int c, unsigned long n) {
  if (n == 0 || upcr_is_near(to) || n > UPCR_LONGEST) {
    upcr_set_bytes(to, c, n);
    return NULL;
  }
  upcr_check_far(to, n, "upc_memset_nb");
  upcr_far_past_cache(to, n);
  struct upcr_transfer *t = begin(to, n);
  upcr_far_set_later(&t->pending, to, c, n);
  return t;
}

static void keep(struct upcr_transfer *t) {
  if (t == NULL) return;
  t->next = implicit;
  implicit = t;
}

#define TRANSFERS(cpy, get_name, put_name, set_name, result_type, result)             \
  UPCR_LIBRARY result_type cpy(upcr_pts to, upcr_pts from, unsigned long n) {         \
    result(copy(to.addr, from.addr, n));                                              \
  }                                                                                   \
  UPCR_LIBRARY result_type get_name(void *to, upcr_pts from, unsigned long n) {       \
    result(get(to, from.addr, n));                                                    \
  }                                                                                   \
  UPCR_LIBRARY result_type put_name(upcr_pts to, const void *from, unsigned long n) { \
    result(put(to.addr, from, n));                                                    \
  }                                                                                   \
  UPCR_LIBRARY result_type set_name(upcr_pts to, int c, unsigned long n) {            \
    result(set(to.addr, c, n));                                                       \
  }
TRANSFERS(upc_memcpy_nb, upc_memget_nb, upc_memput_nb, upc_memset_nb, struct upcr_transfer *,
          return)
TRANSFERS(bupc_memcpy_async, bupc_memget_async, bupc_memput_async, bupc_memset_async,
          struct upcr_transfer *, return)
TRANSFERS(upc_memcpy_nbi, upc_memget_nbi, upc_memput_nbi, upc_memset_nbi, void, keep)
TRANSFERS(bupc_memcpy_asynci, bupc_memget_asynci, bupc_memput_asynci, bupc_memset_asynci, void,
          keep)

/* ---- Completion ---- */

static void check(const struct upcr_transfer *t, const char *call) {
  if (__builtin_expect(!is_transfer(t), 0))
    upcr_fatal("thread %d: %s of a handle (%p) that no transfer has returned", upcr_mythread, call,
               (const void *)t);
}

static int is_done(const struct upcr_transfer *t) {
  if (t->addr != 0) return (int)atomic_load_explicit(&t->pending.done.value, memory_order_acquire);
  for (const struct upcr_transfer *one = t->all; one != NULL; one = one->next)
    if (!is_done(one)) return 0;
  return 1;
}

/* Lines that came while it was under way may have parts from before. */
static void forget(const struct upcr_transfer *t) {
  if (t->bytes != 0) upcr_far_past_cache(t->addr, t->bytes);
}

static void discard(struct upcr_transfer *t) {
  while (t->all != NULL) {
    struct upcr_transfer *one = t->all;
    t->all = one->next;
    forget(one);
    end(one);
  }
  forget(t);
  end(t);
}

static void finish(struct upcr_transfer *t, const char *call) {
  if (t == NULL) return;
  check(t, call);
  if (t->addr != 0) upcr_far_await(&t->pending, t->addr);
  for (struct upcr_transfer *one = t->all; one != NULL; one = one->next)
    upcr_far_await(&one->pending, one->addr);
  discard(t);
}

/* Whether it is complete; then the handle is gone. */
static int attempt(struct upcr_transfer *t, const char *call) {
  if (t == NULL) return 1;
  check(t, call);
  upcr_network_look();
  if (!is_done(t)) {
    if (upcr_spins == 0) upcr_let_others_run();
    return 0;
  }
  discard(t);
  return 1;
}

static void finish_implicit(void) {
  while (implicit != NULL) {
    struct upcr_transfer *t = implicit;
    implicit = t->next;
    finish(t, "upc_synci");
  }
}

static int attempt_implicit(void) {
  while (implicit != NULL) {
    struct upcr_transfer *t = implicit, *next = t->next;
    if (!attempt(t, "upc_synci_attempt")) return 0;
    implicit = next;
  }
  return 1;
}

UPCR_LIBRARY void upc_sync(struct upcr_transfer *handle) { finish(handle, "upc_sync"); }
UPCR_LIBRARY int upc_sync_attempt(struct upcr_transfer *handle) {
  return attempt(handle, "upc_sync_attempt");
}
UPCR_LIBRARY void upc_synci(void) { finish_implicit(); }
UPCR_LIBRARY int upc_synci_attempt(void) { return attempt_implicit(); }

UPCR_LIBRARY void bupc_waitsync(struct upcr_transfer *handle) { finish(handle, "bupc_waitsync"); }
UPCR_LIBRARY int bupc_trysync(struct upcr_transfer *handle) {
  return attempt(handle, "bupc_trysync");
}

/* Of several handles, those that are complete are set to NULL. */
static unsigned long try_each(struct upcr_transfer **handles, unsigned long n, const char *call) {
  unsigned long done = 0;
  for (unsigned long i = 0; i < n; i++)
    if (handles[i] != NULL && attempt(handles[i], call)) {
      handles[i] = NULL;
      done++;
    }
  return done;
}
static unsigned long left(struct upcr_transfer *const *handles, unsigned long n) {
  unsigned long count = 0;
  for (unsigned long i = 0; i < n; i++) count += handles[i] != NULL;
  return count;
}

UPCR_LIBRARY void bupc_waitsync_all(struct upcr_transfer **handles, unsigned long n) {
  for (unsigned long i = 0; i < n; i++) {
    finish(handles[i], "bupc_waitsync_all");
    handles[i] = NULL;
  }
}
UPCR_LIBRARY void bupc_waitsync_some(struct upcr_transfer **handles, unsigned long n) {
  while (left(handles, n) != 0 && try_each(handles, n, "bupc_waitsync_some") == 0) {
  }
}
UPCR_LIBRARY int bupc_trysync_all(struct upcr_transfer **handles, unsigned long n) {
  try_each(handles, n, "bupc_trysync_all");
  return left(handles, n) == 0;
}
UPCR_LIBRARY int bupc_trysync_some(struct upcr_transfer **handles, unsigned long n) {
  return left(handles, n) == 0 || try_each(handles, n, "bupc_trysync_some") != 0;
}
UPCR_LIBRARY void bupc_waitsynci(void) { finish_implicit(); }
UPCR_LIBRARY int bupc_trysynci(void) { return attempt_implicit(); }

/* At the end, MPI must not have any under way. */
void upcr_finish_transfers(void) {
  for (struct group *g = groups; g != NULL; g = g->next)
    for (int i = 0; i < GROUP; i++) {
      struct upcr_transfer *t = &g->transfers[i];
      if (t->magic == MAGIC && t->addr != 0) upcr_far_await(&t->pending, t->addr);
    }
}

/* ---- Regions: all transfers without handles in one get a common handle ---- */

static void begin_region(const char *call) {
  if (in_region)
    upcr_fatal("thread %d: %s, but the region before has not ended", upcr_mythread, call);
  in_region = 1;
  outside = implicit;
  implicit = NULL;
}
static struct upcr_transfer *end_region(const char *call) {
  if (!in_region) upcr_fatal("thread %d: %s, but no region has begun", upcr_mythread, call);
  in_region = 0;
  struct upcr_transfer *all = NULL;
  if (implicit != NULL) {
    all = begin(0, 0);
    all->all = implicit;
  }
  implicit = outside;
  return all;
}
UPCR_LIBRARY void bupc_begin_accessregion(void) { begin_region("bupc_begin_accessregion"); }
UPCR_LIBRARY struct upcr_transfer *bupc_end_accessregion(void) {
  return end_region("bupc_end_accessregion");
}
UPCR_LIBRARY void bupc_begin_nbi_accessregion(void) { begin_region("bupc_begin_nbi_accessregion"); }
UPCR_LIBRARY struct upcr_transfer *bupc_end_nbi_accessregion(void) {
  return end_region("bupc_end_nbi_accessregion");
}
