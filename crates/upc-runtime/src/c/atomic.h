/* Atomic operations on one variable, by type; see atomic.c. */
#ifndef UPCR_ATOMIC_H
#define UPCR_ATOMIC_H

#include "runtime.h"
#include "upc_atomic.h"

/* Does the operation `op` on `target`: stores the old value at `fetch` unless that is null; `a` and
 * `b` are its operands. Returns 0 if there is no such operation on the type. */
#define UPCR_ATOMIC(name, type)                                                        \
  UPCR_HIDDEN int upcr_atomic_##name(type *fetch, int op, type *target, const type *a, \
                                     const type *b);
UPCR_ATOMIC(I, int)
UPCR_ATOMIC(UI, unsigned int)
UPCR_ATOMIC(L, long)
UPCR_ATOMIC(UL, unsigned long)
UPCR_ATOMIC(F, float)
UPCR_ATOMIC(D, double)
UPCR_ATOMIC(PTS, upcr_pts)
#undef UPCR_ATOMIC

/* Replaces the bits of the mask in a number of 4 or 8 bytes; the old value. */
UPCR_HIDDEN uint64_t upcr_masked_swap(unsigned long size, void *target, uint64_t mask,
                                      uint64_t value);
#ifdef UPCR_MPI
UPCR_HIDDEN uint64_t upcr_far_masked_swap(unsigned long size, upcr_addr_t target, uint64_t mask,
                                          uint64_t value);
#endif

/* The same on a variable wherever it is. */
#ifdef UPCR_MPI
/* Base types by number, as messages name them. */
enum upcr_base {
  UPCR_BASE_I,
  UPCR_BASE_UI,
  UPCR_BASE_L,
  UPCR_BASE_UL,
  UPCR_BASE_F,
  UPCR_BASE_D,
  UPCR_BASE_PTS
};
UPCR_HIDDEN void upcr_far_atomic(enum upcr_base base, void *fetch, int op, upcr_addr_t target,
                                 const void *a, const void *b);
#define UPCR_ATOMIC_AT(base, fetch, op, addr, a, b)                                                \
  (upcr_is_near(addr)                                                                              \
       ? (void)upcr_atomic_##base((void *)(fetch), op, upcr_local(addr), (void *)(a), (void *)(b)) \
       : upcr_far_atomic(UPCR_BASE_##base, fetch, op, addr, a, b))
#else
#define UPCR_ATOMIC_AT(base, fetch, op, addr, a, b) \
  upcr_atomic_##base(fetch, op, upcr_local(addr), a, b)
#endif

#endif
