/* PEs that perform a collective operation together: an active set, which the operation names by
   numbers, or a team of the same PEs. */
#ifndef PGAS_TIMING_GROUP_H
#define PGAS_TIMING_GROUP_H

#include <shmem.h>

#include "pgas_operation.h"
#include "version.h"

/* Operations on active sets are deprecated since 1.5, and timed like the others. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* Arguments of operations on an active set. */
#define SET_ARGUMENTS "start=N log_stride=N members=N"
#define SET_HELP "; start, log_stride, members: the active set, otherwise all"

/* Arguments of operations on a team. */
#define TEAM_ARGUMENTS "start=N step=N members=N"
#define TEAM_HELP "; start, step, members: the team, otherwise all"

struct group {
  int start, stride, size;
  int index;      /* of this PE in it; -1: not a member */
  int log_stride; /* of an active set */
  long *arrays;   /* symmetric, for synchronisation: of an active set */
  size_t words;   /* of one of them */
#if HAS_OPENSHMEM(1, 5)
  shmem_team_t team;
#endif
};

static inline int pe_in_group(const struct group *group, int index) {
  return group->start + index * group->stride;
}

/* The active set of the case, with arrays of `words` for its synchronisation. All PEs together;
   returns 0, or -1 after a complaint. `group` may be released either way. */
int group_of_set(struct group *group, const pgas_case *with, size_t words);

#if HAS_OPENSHMEM(1, 5)
/* The team of the case. All PEs together; returns 0, or -1 after a complaint. */
int group_of_team(struct group *group, const pgas_case *with);
#endif

void group_release(struct group *group);

/* The array of a launch. PEs that have ended a launch may begin the next one while others still use
   theirs, so launches rotate through several. */
long *group_array(const struct group *group, long launch);

#endif
