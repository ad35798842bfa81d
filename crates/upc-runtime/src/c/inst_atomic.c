/* Events around atomic operations. GASP 1.5 has none for them, so they appear as what they are to
 * the network: a get where a value comes back, else a put. One that returns a value and writes what
 * another thread waits for appears as an atomic operation. Like other calls of the library they are
 * reported whatever the affinity. */
#include <string.h>

#include "inst.h"
#include "pgas_upcr_calls.h"
#include "upc_atomic.h"

/* Whether a thread waits for a write to this (inst_flags.c). */
extern int upcr_i_is_awaited(upcr_addr_t a, unsigned long size);

extern void upc_atomic_strict(upcr_pts domain, void *fetch, int op, upcr_pts p, const void *a,
                              const void *b);
extern void upc_atomic_relaxed(upcr_pts domain, void *fetch, int op, upcr_pts p, const void *a,
                               const void *b);

#define OPERATION(rs, is_relaxed)                                                                 \
  void upcr_i_upc_atomic_##rs(upcr_pts domain, void *fetch, int op, upcr_pts p, const void *a,    \
                              const void *b, const char *file, int line) {                        \
    size_t size = upcr_domain_size(domain);                                                       \
    if (fetch != NULL && op != UPC_GET && upcr_i_is_awaited(p.addr, size))                        \
      UPCR_REPORTED(upc_atomic_##rs(domain, fetch, op, p, a, b), GASP_UPC_ATOMIC, is_relaxed,     \
                    (void *)&p, fetch, size);                                                     \
    else if (fetch != NULL)                                                                       \
      UPCR_REPORTED(upc_atomic_##rs(domain, fetch, op, p, a, b), GASP_UPC_GET, is_relaxed, fetch, \
                    (void *)&p, size);                                                            \
    else                                                                                          \
      UPCR_REPORTED(upc_atomic_##rs(domain, fetch, op, p, a, b), GASP_UPC_PUT, is_relaxed,        \
                    (void *)&p, (void *)a, size);                                                 \
  }
OPERATION(strict, 0)
OPERATION(relaxed, 1)

/* ---- Those of Berkeley UPC ---- */

#define IS_RELAXED_strict 0
#define IS_RELAXED_relaxed 1

#define GET(x, type, name, rs, parameters, arguments)                                              \
  extern type bupc_atomic##x##_##name##_##rs parameters;                                           \
  type upcr_i_bupc_atomic##x##_##name##_##rs(PARAMETERS_##name(type), const char *file,            \
                                             int line) {                                           \
    type old;                                                                                      \
    if (WRITES_##name && upcr_i_is_awaited(p.addr, sizeof old))                                    \
      UPCR_REPORTED(old = bupc_atomic##x##_##name##_##rs arguments, GASP_UPC_ATOMIC,               \
                    IS_RELAXED_##rs, (void *)&p, (void *)&old, sizeof old);                        \
    else                                                                                           \
      UPCR_REPORTED(old = bupc_atomic##x##_##name##_##rs arguments, GASP_UPC_GET, IS_RELAXED_##rs, \
                    (void *)&old, (void *)&p, sizeof old);                                         \
    return old;                                                                                    \
  }
#define WRITES_read 0
#define WRITES_swap 1
#define WRITES_cswap 1
#define WRITES_fetchadd 1
#define WRITES_mswap 1
#define WRITES_fetchand 1
#define WRITES_fetchor 1
#define WRITES_fetchxor 1
#define WRITES_fetchnot 1
#define PARAMETERS_read(type) upcr_pts p
#define PARAMETERS_swap(type) upcr_pts p, type a
#define PARAMETERS_cswap(type) upcr_pts p, type a, type b
#define PARAMETERS_fetchadd(type) upcr_pts p, type a
#define PARAMETERS_mswap(type) upcr_pts p, type a, type b
#define PARAMETERS_fetchand(type) upcr_pts p, type a
#define PARAMETERS_fetchor(type) upcr_pts p, type a
#define PARAMETERS_fetchxor(type) upcr_pts p, type a
#define PARAMETERS_fetchnot(type) upcr_pts p

#define ACCESSES(x, type, rs)                                                                 \
  GET(x, type, read, rs, (upcr_pts p), (p))                                                   \
  GET(x, type, swap, rs, (upcr_pts p, type a), (p, a))                                        \
  GET(x, type, cswap, rs, (upcr_pts p, type a, type b), (p, a, b))                            \
  GET(x, type, fetchadd, rs, (upcr_pts p, type a), (p, a))                                    \
  extern void bupc_atomic##x##_set_##rs(upcr_pts p, type a);                                  \
  void upcr_i_bupc_atomic##x##_set_##rs(upcr_pts p, type a, const char *file, int line) {     \
    UPCR_REPORTED(bupc_atomic##x##_set_##rs(p, a), GASP_UPC_PUT, IS_RELAXED_##rs, (void *)&p, \
                  (void *)&a, sizeof a);                                                      \
  }
#define BITS(x, type, rs)                                          \
  ACCESSES(x, type, rs)                                            \
  GET(x, type, mswap, rs, (upcr_pts p, type a, type b), (p, a, b)) \
  GET(x, type, fetchand, rs, (upcr_pts p, type a), (p, a))         \
  GET(x, type, fetchor, rs, (upcr_pts p, type a), (p, a))          \
  GET(x, type, fetchxor, rs, (upcr_pts p, type a), (p, a))         \
  GET(x, type, fetchnot, rs, (upcr_pts p), (p))
#define BOTH(kind, x, type) kind(x, type, strict) kind(x, type, relaxed)
BOTH(BITS, I, int)
BOTH(BITS, UI, unsigned int)
BOTH(BITS, L, long)
BOTH(BITS, UL, unsigned long)
BOTH(BITS, I32, int32_t)
BOTH(BITS, U32, uint32_t)
BOTH(BITS, I64, int64_t)
BOTH(BITS, U64, uint64_t)
BOTH(ACCESSES, F, float)
BOTH(ACCESSES, D, double)
