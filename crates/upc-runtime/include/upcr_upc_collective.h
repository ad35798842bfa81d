/* The collective operations of UPC 1.3 (section 7.3): relocalization and computation. */
#ifndef UPCR_UPC_COLLECTIVE_H
#define UPCR_UPC_COLLECTIVE_H

#include "upcr_upc.h"

/* ---- Relocalization: `nbytes` is the size of one block ---- */

extern void upc_all_broadcast(shared void *__restrict __dst, shared const void *__restrict __src,
                              size_t __nbytes, upc_flag_t __flags);
extern void upc_all_scatter(shared void *__restrict __dst, shared const void *__restrict __src,
                            size_t __nbytes, upc_flag_t __flags);
extern void upc_all_gather(shared void *__restrict __dst, shared const void *__restrict __src,
                           size_t __nbytes, upc_flag_t __flags);
extern void upc_all_gather_all(shared void *__restrict __dst, shared const void *__restrict __src,
                               size_t __nbytes, upc_flag_t __flags);
extern void upc_all_exchange(shared void *__restrict __dst, shared const void *__restrict __src,
                             size_t __nbytes, upc_flag_t __flags);
extern void upc_all_permute(shared void *__restrict __dst, shared const void *__restrict __src,
                            shared const int *__restrict __perm, size_t __nbytes,
                            upc_flag_t __flags);

/* ---- Computation: `nelems` elements in blocks of `blk_size` (0: indefinite) ---- */

#define UPCR_COMPUTATION(upcr_x, upcr_type)                                              \
  extern void upc_all_reduce##upcr_x(                                                    \
      shared void *__restrict __dst, shared const void *__restrict __src, upc_op_t __op, \
      size_t __nelems, size_t __blk_size, upcr_type (*__func)(upcr_type, upcr_type),     \
      upc_flag_t __flags);                                                               \
  extern void upc_all_prefix_reduce##upcr_x(                                             \
      shared void *__restrict __dst, shared const void *__restrict __src, upc_op_t __op, \
      size_t __nelems, size_t __blk_size, upcr_type (*__func)(upcr_type, upcr_type),     \
      upc_flag_t __flags);
UPCR_COMPUTATION(C, signed char)
UPCR_COMPUTATION(UC, unsigned char)
UPCR_COMPUTATION(S, signed short)
UPCR_COMPUTATION(US, unsigned short)
UPCR_COMPUTATION(I, signed int)
UPCR_COMPUTATION(UI, unsigned int)
UPCR_COMPUTATION(L, signed long)
UPCR_COMPUTATION(UL, unsigned long)
UPCR_COMPUTATION(F, float)
UPCR_COMPUTATION(D, double)
UPCR_COMPUTATION(LD, long double)
#undef UPCR_COMPUTATION

/* ---- Of a draft of UPC 1.2 ---- */

/* Sorts `nelems` elements; `func` compares as for qsort. */
extern void upc_all_sort(shared void *__array, size_t __elem_size, size_t __nelems,
                         size_t __blk_size, int (*__func)(shared void *, shared void *),
                         upc_flag_t __flags);

#endif
