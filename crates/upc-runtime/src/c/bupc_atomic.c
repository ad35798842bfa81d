/* The atomic operations of Berkeley UPC (bupc_atomics.h): one function for each type, operation and
 * consistency. */
#include "atomic.h"

/* Code before and after an operation. */
/* A loop that asks for a value may wait, as one with strict reads. */
#define BEGIN_relaxed upcr_read_strictly()
#define END_relaxed
#define BEGIN_private
#define END_private
#define BEGIN_strict upcr_read_strictly(), upcr_strict_fence()
#define END_strict upcr_strict_fence()

#define PLACE_relaxed upcr_pts
#define PLACE_strict upcr_pts
#define PLACE_private void *
#define OPERATE_relaxed(base, fetch, op, p, a, b) UPCR_ATOMIC_AT(base, fetch, op, (p).addr, a, b)
#define OPERATE_strict(base, fetch, op, p, a, b) UPCR_ATOMIC_AT(base, fetch, op, (p).addr, a, b)
#define OPERATE_private(base, fetch, op, p, a, b) upcr_atomic_##base(fetch, op, p, a, b)

/* A function bupc_atomicX_NAME_RS whose result is the old value. */
#define OLD_VALUE(x, type, base, name, rs, parameters, op, a, b) \
  UPCR_LIBRARY type bupc_atomic##x##_##name##_##rs parameters {  \
    type old;                                                    \
    BEGIN_##rs;                                                  \
    OPERATE_##rs(base, (void *)&old, op, p, a, b);               \
    END_##rs;                                                    \
    return old;                                                  \
  }

#define ACCESSES(x, type, base, rs)                                                             \
  OLD_VALUE(x, type, base, read, rs, (PLACE_##rs p), UPC_GET, NULL, NULL)                       \
  UPCR_LIBRARY void bupc_atomic##x##_set_##rs(PLACE_##rs p, type value) {                       \
    BEGIN_##rs;                                                                                 \
    OPERATE_##rs(base, NULL, UPC_SET, p, (void *)&value, NULL);                                 \
    END_##rs;                                                                                   \
  }                                                                                             \
  OLD_VALUE(x, type, base, swap, rs, (PLACE_##rs p, type value), UPC_SET, (void *)&value, NULL) \
  OLD_VALUE(x, type, base, cswap, rs, (PLACE_##rs p, type old_value, type value), UPC_CSWAP,    \
            (void *)&old_value, (void *)&value)                                                 \
  OLD_VALUE(x, type, base, fetchadd, rs, (PLACE_##rs p, type value), UPC_ADD, (void *)&value, NULL)

/* mswap replaces the bits of the mask. */
#ifdef UPCR_MPI
#define MASKED_relaxed(size, p, mask, value)                                          \
  (upcr_is_near((p).addr) ? upcr_masked_swap(size, upcr_local((p).addr), mask, value) \
                          : upcr_far_masked_swap(size, (p).addr, mask, value))
#else
#define MASKED_relaxed(size, p, mask, value) \
  upcr_masked_swap(size, upcr_local((p).addr), mask, value)
#endif
#define MASKED_strict MASKED_relaxed
#define MASKED_private upcr_masked_swap

#define BITS(x, type, base, rs)                                                                   \
  OLD_VALUE(x, type, base, fetchand, rs, (PLACE_##rs p, type value), UPC_AND, (void *)&value,     \
            NULL)                                                                                 \
  OLD_VALUE(x, type, base, fetchor, rs, (PLACE_##rs p, type value), UPC_OR, (void *)&value, NULL) \
  OLD_VALUE(x, type, base, fetchxor, rs, (PLACE_##rs p, type value), UPC_XOR, (void *)&value,     \
            NULL)                                                                                 \
  OLD_VALUE(x, type, base, fetchnot, rs, (PLACE_##rs p), UPC_XOR,                                 \
            (void *)&(type){(type) ~(type)0}, NULL)                                               \
  UPCR_LIBRARY type bupc_atomic##x##_mswap_##rs(PLACE_##rs p, type mask, type value) {            \
    BEGIN_##rs;                                                                                   \
    type old = (type)MASKED_##rs(sizeof(type), p, (uint64_t)mask, (uint64_t)value);               \
    END_##rs;                                                                                     \
    return old;                                                                                   \
  }

// clang-format off
#define INTEGER(x, type, base)      \
  ACCESSES(x, type, base, relaxed)  \
  ACCESSES(x, type, base, strict)   \
  ACCESSES(x, type, base, private)  \
  BITS(x, type, base, relaxed)      \
  BITS(x, type, base, strict)       \
  BITS(x, type, base, private)
#define FLOAT(x, type)          \
  ACCESSES(x, type, x, relaxed) \
  ACCESSES(x, type, x, strict)  \
  ACCESSES(x, type, x, private)
// clang-format on

INTEGER(I, int, I)
INTEGER(UI, unsigned int, UI)
INTEGER(L, long, L)
INTEGER(UL, unsigned long, UL)
INTEGER(I32, int32_t, I)
INTEGER(U32, uint32_t, UI)
INTEGER(I64, int64_t, L)
INTEGER(U64, uint64_t, UL)
FLOAT(F, float)
FLOAT(D, double)
