/* Berkeley UPC's atomic operations, bupc_atomicX_NAME_RS: X is I, UI, L, UL, I32, U32, I64, U64, F
 * or D; RS is strict, relaxed, or private for a variable that is not shared but, say, of several
 * POSIX threads. All but set return the old value. mswap replaces the bits that its mask has; F and
 * D have no operations on bits. */
#ifndef UPCR_BUPC_ATOMICS_H
#define UPCR_BUPC_ATOMICS_H

#define UPCR_ACCESSES(upcr_x, upcr_t, upcr_place, upcr_rs)                               \
  extern upcr_t bupc_atomic##upcr_x##_read_##upcr_rs(upcr_place);                        \
  extern void bupc_atomic##upcr_x##_set_##upcr_rs(upcr_place, upcr_t);                   \
  extern upcr_t bupc_atomic##upcr_x##_swap_##upcr_rs(upcr_place, upcr_t);                \
  extern upcr_t bupc_atomic##upcr_x##_cswap_##upcr_rs(upcr_place, upcr_t __old, upcr_t); \
  extern upcr_t bupc_atomic##upcr_x##_fetchadd_##upcr_rs(upcr_place, upcr_t);
#define UPCR_BITS(upcr_x, upcr_t, upcr_place, upcr_rs)                                    \
  UPCR_ACCESSES(upcr_x, upcr_t, upcr_place, upcr_rs)                                      \
  extern upcr_t bupc_atomic##upcr_x##_mswap_##upcr_rs(upcr_place, upcr_t __mask, upcr_t); \
  extern upcr_t bupc_atomic##upcr_x##_fetchand_##upcr_rs(upcr_place, upcr_t);             \
  extern upcr_t bupc_atomic##upcr_x##_fetchor_##upcr_rs(upcr_place, upcr_t);              \
  extern upcr_t bupc_atomic##upcr_x##_fetchxor_##upcr_rs(upcr_place, upcr_t);             \
  extern upcr_t bupc_atomic##upcr_x##_fetchnot_##upcr_rs(upcr_place);
#define UPCR_ALL(upcr_kind, upcr_x, upcr_t)        \
  upcr_kind(upcr_x, upcr_t, shared void *, strict) \
      upcr_kind(upcr_x, upcr_t, shared void *, relaxed) upcr_kind(upcr_x, upcr_t, void *, private)
UPCR_ALL(UPCR_BITS, I, int)
UPCR_ALL(UPCR_BITS, UI, unsigned int)
UPCR_ALL(UPCR_BITS, L, long)
UPCR_ALL(UPCR_BITS, UL, unsigned long)
UPCR_ALL(UPCR_BITS, I32, __INT32_TYPE__)
UPCR_ALL(UPCR_BITS, U32, __UINT32_TYPE__)
UPCR_ALL(UPCR_BITS, I64, __INT64_TYPE__)
UPCR_ALL(UPCR_BITS, U64, __UINT64_TYPE__)
UPCR_ALL(UPCR_ACCESSES, F, float)
UPCR_ALL(UPCR_ACCESSES, D, double)
#undef UPCR_ALL
#undef UPCR_BITS
#undef UPCR_ACCESSES

#endif
