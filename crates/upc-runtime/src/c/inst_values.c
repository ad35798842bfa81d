/* Events around collectives on values (bupc_collectivev.h), as the collectives of UPC with the
 * values' size: where the data would be are the beginnings of the shared memory of the threads that
 * have it. */
#include "inst.h"

static upcr_pts at(int thread) {
  return upcr_make(thread < 0 || thread >= upcr_threads ? 0 : upcr_segment(thread), 0);
}

/* Source and destination are given by a thread each. */
#define MOVED(name, tag, parameters, arguments, to_thread, from_thread)                          \
  extern void upcr_allv_##name parameters;                                                       \
  void upcr_i_allv_##name parameters {                                                           \
    upcr_pts to = at(to_thread), from = at(from_thread);                                         \
    UPCR_REPORTED(upcr_allv_##name arguments, tag, (void *)&to, (void *)&from, (size_t)size, 0); \
  }
MOVED(broadcast, GASP_UPC_ALL_BROADCAST,
      (void *value, unsigned long size, int root, const char *file, int line),
      (value, size, root, file, line), 0, root)
MOVED(scatter, GASP_UPC_ALL_SCATTER,
      (void *value, unsigned long size, int root, const void *array, const char *file, int line),
      (value, size, root, array, file, line), 0, root)
MOVED(gather, GASP_UPC_ALL_GATHER,
      (const void *value, unsigned long size, int root, void *array, const char *file, int line),
      (value, size, root, array, file, line), root, 0)
MOVED(gather_all, GASP_UPC_ALL_GATHER_ALL,
      (const void *value, unsigned long size, void *array, const char *file, int line),
      (value, size, array, file, line), 0, 0)

extern void upcr_allv_permute(void *value, unsigned long size, int to, const char *file, int line);
void upcr_i_allv_permute(void *value, unsigned long size, int to_thread, const char *file,
                         int line) {
  upcr_pts to = at(0), from = at(0), perm = at(0);
  UPCR_REPORTED(upcr_allv_permute(value, size, to_thread, file, line), GASP_UPC_ALL_PERMUTE,
                (void *)&to, (void *)&from, (void *)&perm, (size_t)size, 0);
}

/* The type as the events have it, by kind as in bupc_collectivev.h. */
static int type_of(unsigned long size, int kind) {
  if (kind == 2)
    return size == sizeof(float)    ? GASP_UPC_REDUCTION_F
           : size == sizeof(double) ? GASP_UPC_REDUCTION_D
                                    : GASP_UPC_REDUCTION_LD;
  int is_signed = kind == 1;
  switch (size) {
    case 1: return is_signed ? GASP_UPC_REDUCTION_C : GASP_UPC_REDUCTION_UC;
    case 2: return is_signed ? GASP_UPC_REDUCTION_S : GASP_UPC_REDUCTION_US;
    case 4: return is_signed ? GASP_UPC_REDUCTION_I : GASP_UPC_REDUCTION_UI;
    default: return is_signed ? GASP_UPC_REDUCTION_L : GASP_UPC_REDUCTION_UL;
  }
}

#define COMBINED(name, tag, parameters, arguments, to_thread)                             \
  extern void upcr_allv_##name parameters;                                                \
  void upcr_i_allv_##name parameters {                                                    \
    upcr_pts to = at(to_thread), from = at(0);                                            \
    UPCR_REPORTED(upcr_allv_##name arguments, tag, (void *)&to, (void *)&from, op,        \
                  (size_t)upcr_threads, (size_t)1, (void *)NULL, 0, type_of(size, kind)); \
  }
COMBINED(reduce, GASP_UPC_ALL_REDUCE,
         (void *value, unsigned long size, int kind, int root, int op, const char *file, int line),
         (value, size, kind, root, op, file, line), root)
COMBINED(reduce_all, GASP_UPC_ALL_REDUCE,
         (void *value, unsigned long size, int kind, int op, const char *file, int line),
         (value, size, kind, op, file, line), 0)
COMBINED(prefix_reduce, GASP_UPC_ALL_PREFIX_REDUCE,
         (void *value, unsigned long size, int kind, int op, const char *file, int line),
         (value, size, kind, op, file, line), 0)
