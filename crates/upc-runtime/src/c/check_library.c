/* Checks of the library's arguments: memory operations stay within one thread's part of an object,
 * locks are locks and are released by who holds them, and collective calls are the same on all
 * threads. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "check_library.h"

/* ---- Barriers ---- */

/* Where this thread has called upc_notify without upc_wait yet. */
static struct upcr_place notified;

static void refuse_if_notified(const char *call, struct upcr_place at) {
  if (notified.file != NULL)
    upcr_fault(at, "%s between upc_notify%s and its upc_wait", call,
               upcr_at(notified.file, notified.line));
}

void upcr_check_barrier(const char *call, int named, int value, struct upcr_place at) {
  refuse_if_notified(call, at);
  struct upcr_together c = {
      "upc_barrier", call, {{named ? 'n' : 0, "value", (unsigned long)value}}};
  upcr_check_together(&c, at);
  if (strcmp(call, "upc_notify") == 0) notified = at;
}

void upcr_check_wait(struct upcr_place at) {
  if (notified.file == NULL) upcr_fault(at, "upc_wait without a upc_notify before");
  notified = (struct upcr_place){NULL, 0};
}

/* ---- Allocation ---- */

void upcr_check_all(const char *call, upcr_pts p, struct upcr_place at) {
  int has_pointer = strcmp(call, "upc_all_lock_alloc") != 0;
  struct upcr_together c = {call, call, {{has_pointer ? 'p' : 0, "pointer", p.addr}}};
  upcr_check_together(&c, at);
}

void upcr_check_all_alloc(unsigned long blocks, unsigned long bytes, struct upcr_place at) {
  struct upcr_together c = {"upc_all_alloc",
                            "upc_all_alloc",
                            {{'n', "number of blocks", blocks}, {'n', "number of bytes", bytes}}};
  upcr_check_together(&c, at);
}

/* ---- Locks ---- */

static struct upcr_region *lock_of(upcr_pts l, const char *call, struct upcr_place at) {
  char where[UPCR_TEXT];
  struct upcr_region *r = upcr_region_of(l.addr);
  if (r != NULL && r->kind == UPCR_LOCK && atomic_load(&r->state) == UPCR_LIVE &&
      (l.addr & UPCR_OFFSET_MASK) == r->begin)
    return r;
  upcr_describe_address(where, sizeof where, l.addr);
  if (l.addr == 0) upcr_fault(at, "%s of a null pointer", call);
  upcr_fault(at, "%s of what is no lock: %s", call, where);
}

/* "the lock that thread 0 allocated with upc_all_lock_alloc (x.upc:3), which thread 1 has locked
 * (x.upc:9)" */
static void describe_lock(char *text, size_t size, const struct upcr_region *r, int holder) {
  char lock[UPCR_TEXT];
  upcr_describe_region(lock, sizeof lock, r);
  if (holder < 0) snprintf(text, size, "%s, which nobody holds", lock);
  else
    snprintf(text, size, "%s, which thread %d has locked%s", lock, holder,
             upcr_at(r->locked_at.file, r->locked_at.line));
}

void upcr_check_lock(upcr_pts l, const char *call, struct upcr_place at) {
  struct upcr_region *r = lock_of(l, call, at);
  char lock[2 * UPCR_TEXT];
  if (strcmp(call, "upc_lock") != 0 || upcr_lock_holder(upcr_local(l.addr)) != upcr_mythread)
    return;
  describe_lock(lock, sizeof lock, r, upcr_mythread);
  upcr_fault(at, "%s of a lock that this thread holds already: %s", call, lock);
}

void upcr_check_locked(upcr_pts l, struct upcr_place at) { upcr_region_of(l.addr)->locked_at = at; }

void upcr_check_unlock(upcr_pts l, struct upcr_place at) {
  struct upcr_region *r = lock_of(l, "upc_unlock", at);
  int holder = upcr_lock_holder(upcr_local(l.addr));
  char lock[2 * UPCR_TEXT];
  if (holder == upcr_mythread) return;
  describe_lock(lock, sizeof lock, r, holder);
  upcr_fault(at, "upc_unlock of a lock that this thread does not hold: %s", lock);
}

void upcr_check_lock_free(upcr_pts l, const char *call, struct upcr_place at) {
  if (l.addr == 0) return;
  struct upcr_region *r = upcr_check_free(l, UPCR_LOCK, call);
  int holder = upcr_lock_holder(upcr_local(l.addr));
  char lock[2 * UPCR_TEXT];
  /* The holder may free it (UPC 1.3, 7.2.4.6); when another thread does, the holder will still want
   * to release it. */
  if (holder < 0 || holder == upcr_mythread) return;
  describe_lock(lock, sizeof lock, r, holder);
  upcr_fault(at, "%s of a lock that another thread holds: %s", call, lock);
}

/* ---- Memory operations ---- */

static void check_side(const char *call, const char *verb, upcr_addr_t addr, unsigned long n,
                       struct upcr_place at) {
  char what[80];
  snprintf(what, sizeof what, "%s %s", call, verb);
  upcr_check_bytes(addr, n, what, at);
}

void upcr_check_copy(const char *call, const upcr_pts *to, const upcr_pts *from,
                     const void *private_side, unsigned long n, struct upcr_place at) {
  if (n == 0) return;
  if (to != NULL) check_side(call, "writes", to->addr, n, at);
  if (from != NULL) check_side(call, "reads", from->addr, n, at);
  upcr_addr_t a = to != NULL ? to->addr : (upcr_addr_t)private_side;
  upcr_addr_t b = from != NULL ? from->addr : (upcr_addr_t)private_side;
  if ((to == NULL || from == NULL) && private_side == NULL)
    upcr_fault(at, "%s of %lu bytes with a null private pointer", call, n);
  if (a >= b + n || b >= a + n) return;
  char destination[UPCR_TEXT], source[UPCR_TEXT];
  upcr_describe_address(destination, sizeof destination, a);
  upcr_describe_address(source, sizeof source, b);
  upcr_fault(at,
             "%s of %lu bytes between places that overlap: the source is %s, the destination is %s",
             call, n, source, destination);
}

/* ---- Collectives ---- */

/* The part of this thread of an area that begins at `p`, has `bytes` on each thread, and may begin
 * on any of them. */
static upcr_addr_t own_part(upcr_pts p, unsigned long bytes) {
  int first = upcr_thread_of(p.addr);
  if (first < 0 || first >= upcr_threads) return p.addr;
  return upcr_segment(upcr_mythread) + (p.addr & UPCR_OFFSET_MASK) +
         (upcr_mythread < first ? bytes : 0);
}

static void check_blocks(const char *call, const char *verb, upcr_pts p, struct upcr_side side,
                         unsigned long n, struct upcr_place at) {
  unsigned long bytes = n;
  if (side.per_thread && __builtin_mul_overflow(n, (unsigned long)upcr_threads, &bytes))
    bytes = ~0ul;
  if (n == 0) return;
  check_side(call, verb, p.addr, 1, at);
  check_side(call, verb, side.everywhere ? own_part(p, bytes) : p.addr, bytes, at);
}

void upcr_check_relocalization(const char *call, upcr_pts to, struct upcr_side to_side,
                               upcr_pts from, struct upcr_side from_side, unsigned long n,
                               int flags, const upcr_pts *permutation, struct upcr_place at) {
  refuse_if_notified(call, at);
  struct upcr_together c = {call,
                            call,
                            {{'p', "destination", to.addr},
                             {'p', "source", from.addr},
                             {'n', "number of bytes", n},
                             {'x', "flags", (unsigned long)flags}}};
  if (permutation != NULL) {
    c.arguments[4].type = 'p';
    c.arguments[4].name = "permutation";
    c.arguments[4].value = permutation->addr;
  }
  upcr_check_together(&c, at);
  check_blocks(call, "writes", to, to_side, n, at);
  check_blocks(call, "reads", from, from_side, n, at);
  if (permutation != NULL)
    check_blocks(call, "reads", *permutation, (struct upcr_side){1, 0}, sizeof(int), at);
}

/* Checks the last of the elements that lie on this thread, or all on one thread if the block size
 * is 0. */
static void check_elements(const char *call, const char *verb, upcr_pts p, unsigned long n,
                           unsigned long block, unsigned long size, struct upcr_place at) {
  unsigned long bytes;
  if (n == 0) return;
  check_side(call, verb, p.addr, size, at);
  if (block == 0) {
    if (__builtin_mul_overflow(n, size, &bytes)) bytes = ~0ul;
    check_side(call, verb, p.addr, bytes, at);
    return;
  }
  unsigned long threads = (unsigned long)upcr_threads, phase = p.phase % block;
  unsigned long first = (unsigned long)upcr_thread_of(p.addr),
                own = ((unsigned long)upcr_mythread + threads - first) % threads;
  unsigned long last =
      (phase + n - 1) / block; /* block, counted from the one that `p` points into */
  if (own > last) return;
  unsigned long mine = last - (last - own) % threads; /* the last one on this thread */
  unsigned long within = mine == last ? (phase + n - 1) % block : block - 1;
  unsigned long round = (first + mine) / threads;
  check_side(call, verb,
             upcr_segment(upcr_mythread) + (p.addr & UPCR_OFFSET_MASK) +
                 (round * block + within) * size - phase * size,
             size, at);
}

void upcr_check_computation(const char *call, upcr_pts to, upcr_pts from, int op, unsigned long n,
                            unsigned long blk, const void *function, int flags, unsigned long size,
                            int prefix, struct upcr_place at) {
  refuse_if_notified(call, at);
  struct upcr_together c = {
      call,
      call,
      {{'p', "destination", to.addr},
       {'p', "source", from.addr},
       {'x', "operation", (unsigned long)op},
       {'n', "number of elements", n},
       {'n', "block size", blk},
       {'x', "function", op == UPC_FUNC || op == UPC_NONCOMM_FUNC ? (unsigned long)function : 0},
       {'x', "flags", (unsigned long)flags}}};
  upcr_check_together(&c, at);
  check_elements(call, "reads", from, n, blk, size, at);
  if (prefix) check_elements(call, "writes", to, n, blk, size, at);
  else if (n != 0) check_side(call, "writes", to.addr, size, at);
}
