/* Active sets: the PEs that take part in a collective operation. */
#ifndef PGAS_TIMING_ACTIVE_SET_H
#define PGAS_TIMING_ACTIVE_SET_H

#include <shmem.h>

#include "arguments.h"

/* Arguments of operations with an active set. */
#define SET_ARGUMENTS "start=N log_stride=N members=N"
#define SET_HELP "; start, log_stride, members: the active set, otherwise all"

/* Arrays of one operation that work at the same time at most, since PEs that have ended a launch
   may begin the next one while others still use theirs. */
#define WORK_ARRAYS 64

struct active_set {
  int start, log_stride, size;
  int index; /* of this PE in it; -1: not a member */
};

static inline int pe_in_set(const struct active_set *set, int index) {
  return set->start + (index << set->log_stride);
}

static inline int index_in_set(const struct active_set *set, int pe) {
  int distance = pe - set->start, index = distance >> set->log_stride;
  return distance >= 0 && index < set->size && pe_in_set(set, index) == pe ? index : -1;
}

/* Returns 0, or -1 after a complaint. */
static inline int active_set_read(struct active_set *set, const pgas_case *with) {
  long start = number_argument(with, "start", 0, 0, with->threads - 1);
  long log_stride = number_argument(with, "log_stride", 0, 0, 30);
  if (start < 0 || log_stride < 0) return -1;
  long most = ((with->threads - 1 - start) >> log_stride) + 1;
  long members = number_argument(with, "members", most, 1, most);
  if (members < 0) return -1;
  *set = (struct active_set){(int)start, (int)log_stride, (int)members, 0};
  set->index = index_in_set(set, with->thread);
  return 0;
}

/* Arrays for synchronisation, of `each` words, ready for use. All PEs together; null after a
   complaint. */
static inline long *work_arrays(const pgas_case *with, size_t each) {
  size_t words = each * WORK_ARRAYS;
  long *arrays = shmem_malloc(words * sizeof *arrays);
  if (!arrays) pgas_complain(with, "the symmetric heap has no %zu words", words);
  for (size_t i = 0; arrays && i < words; i++) arrays[i] = SHMEM_SYNC_VALUE;
  shmem_barrier_all();
  return arrays;
}

#endif
