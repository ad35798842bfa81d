/* OpenSHMEM: barriers and collective operations, of all PEs or of an active set.
 *
 * Reductions leave their result on all PEs, so
 * they are of the kind in which every PE gets the data of all. */
#include "shmem_group.h"
#include "shmem_types.h"

#define COLLECTIVE(name, region, parameters, arguments, group, traffic) \
  IF_HAVE(name)(WRAPPER(void, name, parameters)                         \
                    GROUP_CALL(name, region, arguments, group, traffic, , ))

#define ACTIVE_SET int start, int log_stride, int size
#define THE_SET active_set(start, log_stride, size)

/* ---- Barriers ---- */

COLLECTIVE(shmem_barrier_all, PGAS_BARRIER, (void), (), all_pes(), no_traffic())
COLLECTIVE(shmem_sync_all, PGAS_BARRIER, (void), (), all_pes(), no_traffic())
COLLECTIVE(shmem_barrier, PGAS_BARRIER, (ACTIVE_SET, long *sync), (start, log_stride, size, sync),
           THE_SET, no_traffic())
COLLECTIVE(shmem_sync, PGAS_BARRIER, (ACTIVE_SET, long *sync), (start, log_stride, size, sync),
           THE_SET, no_traffic())

/* ---- Data ---- */

#define SIZED_COLLECTIVES(BITS, bytes)                                                            \
  COLLECTIVE(shmem_broadcast##BITS, PGAS_BROADCAST,                                               \
             (void *dest, const void *source, size_t elements, int root, ACTIVE_SET, long *sync), \
             (dest, source, elements, root, start, log_stride, size, sync), THE_SET,              \
             from_root(group, start + (root << log_stride), elements * bytes))                    \
  COLLECTIVE(shmem_collect##BITS, PGAS_GATHER_ALL,                                                \
             (void *dest, const void *source, size_t elements, ACTIVE_SET, long *sync),           \
             (dest, source, elements, start, log_stride, size, sync), THE_SET,                    \
             to_all(group, elements *bytes))                                                      \
  COLLECTIVE(shmem_fcollect##BITS, PGAS_GATHER_ALL,                                               \
             (void *dest, const void *source, size_t elements, ACTIVE_SET, long *sync),           \
             (dest, source, elements, start, log_stride, size, sync), THE_SET,                    \
             to_all(group, elements *bytes))                                                      \
  COLLECTIVE(shmem_alltoall##BITS, PGAS_EXCHANGE,                                                 \
             (void *dest, const void *source, size_t elements, ACTIVE_SET, long *sync),           \
             (dest, source, elements, start, log_stride, size, sync), THE_SET,                    \
             to_all(group, elements *bytes))                                                      \
  COLLECTIVE(shmem_alltoalls##BITS, PGAS_EXCHANGE,                                                \
             (void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,     \
              size_t elements, ACTIVE_SET, long *sync),                                           \
             (dest, source, dest_stride, source_stride, elements, start, log_stride, size, sync), \
             THE_SET, to_all(group, elements *bytes))

SIZED_COLLECTIVES(32, 4)
SIZED_COLLECTIVES(64, 8)

/* ---- Reductions ---- */

#define REDUCTION(name, TYPE)                                                                     \
  COLLECTIVE(name, PGAS_GATHER_ALL,                                                               \
             (TYPE * dest, const TYPE *source, int elements, ACTIVE_SET, TYPE *work, long *sync), \
             (dest, source, elements, start, log_stride, size, work, sync), THE_SET,              \
             to_all(group, (uint64_t)elements * sizeof(TYPE)))

#define REDUCTIONS(NAME, TYPE)               \
  REDUCTION(shmem_##NAME##_and_to_all, TYPE) \
  REDUCTION(shmem_##NAME##_or_to_all, TYPE)  \
  REDUCTION(shmem_##NAME##_xor_to_all, TYPE) \
  REDUCTION(shmem_##NAME##_max_to_all, TYPE) \
  REDUCTION(shmem_##NAME##_min_to_all, TYPE) \
  REDUCTION(shmem_##NAME##_sum_to_all, TYPE) \
  REDUCTION(shmem_##NAME##_prod_to_all, TYPE)

FOR_TYPES_AND_COMPLEX(REDUCTIONS)
