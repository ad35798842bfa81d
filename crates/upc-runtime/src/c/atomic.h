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

#endif
