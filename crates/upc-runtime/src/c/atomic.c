/* Atomic operations on a variable of each type: the processor's where it has them, else a loop
 * around compare and exchange. Pointers-to-shared take 16 bytes, for which x86 has an instruction
 * if they are aligned; else a lock guards the cache line. */
#include <string.h>

#include "atomic.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

#define TYPE int
#define NAME I
#include "atomic_type.h"
#define TYPE unsigned int
#define NAME UI
#include "atomic_type.h"
#define TYPE long
#define NAME L
#include "atomic_type.h"
#define TYPE unsigned long
#define NAME UL
#include "atomic_type.h"

#define FLOATING
#define TYPE float
#define BITS uint32_t
#define NAME F
#include "atomic_type.h"
#define TYPE double
#define BITS uint64_t
#define NAME D
#include "atomic_type.h"

/* ---- Pointers-to-shared ---- */

/* The new value for an old one; pointers are compared as == does, by address. */
static upcr_pts pts_after(int op, upcr_pts old, const upcr_pts *a, const upcr_pts *b) {
  if (op == UPC_SET) return *a;
  return op == UPC_CSWAP && upcr_equal(old, *a) ? *b : old;
}

#ifdef __x86_64__
union pts_bits {
  upcr_pts p;
  unsigned __int128 bits;
};

__attribute__((target("cx16"))) static upcr_pts pts_exchange(int op, upcr_pts *target,
                                                             const upcr_pts *a, const upcr_pts *b) {
  unsigned __int128 *place = (unsigned __int128 *)target;
  union pts_bits old, wanted;
  /* Two halves that do not belong together only cost another round. */
  old.p.addr = __atomic_load_n(&target->addr, __ATOMIC_RELAXED);
  old.p.phase = __atomic_load_n(&target->phase, __ATOMIC_RELAXED);
  for (;;) {
    wanted.p = pts_after(op, old.p, a, b);
    unsigned __int128 seen = __sync_val_compare_and_swap(place, old.bits, wanted.bits);
    if (seen == old.bits) return old.p;
    old.bits = seen;
  }
}
#endif

static upcr_pts pts_guarded(int op, upcr_pts *target, const upcr_pts *a, const upcr_pts *b) {
  struct upcr_guard *guard =
      &upcr_control->atomic_guards[(upcr_addr_t)target / UPCR_LINE % UPCR_ATOMIC_GUARDS].guard;
  upcr_guard_enter(guard);
  upcr_pts old = *target;
  *target = pts_after(op, old, a, b);
  upcr_guard_leave(guard);
  return old;
}

int upcr_atomic_PTS(upcr_pts *fetch, int op, upcr_pts *target, const upcr_pts *a,
                    const upcr_pts *b) {
  if (op != UPC_GET && op != UPC_SET && op != UPC_CSWAP) return 0;
  upcr_pts old;
#ifdef __x86_64__
  if ((upcr_addr_t)target % 16 == 0) old = pts_exchange(op, target, a, b);
  else
#endif
    old = pts_guarded(op, target, a, b);
  if (fetch != NULL) *fetch = old;
  return 1;
}

/* ---- Some bits ---- */

uint64_t upcr_masked_swap(unsigned long size, void *target, uint64_t mask, uint64_t value) {
  if (size == sizeof(uint32_t)) {
    uint32_t *at = target, old = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(at, &old,
                                        (old & ~(uint32_t)mask) | (uint32_t)(value & mask), 1,
                                        __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    }
    return old;
  }
  uint64_t *at = target, old = __atomic_load_n(at, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(at, &old, (old & ~mask) | (value & mask), 1, __ATOMIC_ACQ_REL,
                                      __ATOMIC_RELAXED)) {
  }
  return old;
}
