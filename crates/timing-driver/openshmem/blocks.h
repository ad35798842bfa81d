/* Collective operations that move blocks unchanged, over an active set or a team. */
#ifndef PGAS_TIMING_BLOCKS_H
#define PGAS_TIMING_BLOCKS_H

#include "group.h"
#include "sides.h"
#include "symmetric.h"

struct collective;

struct collective_kind {
  void (*call)(struct collective *of, void *dest, const void *source, long *sync);
  enum { FROM_ROOT, FROM_ROOT_TO_ALL, TO_ALL, EACH_TO_EACH } shape;
  int width;      /* bytes of an element */
  int is_strided; /* elements are apart from each other */
  int has_team;   /* instead of an active set */
};

struct collective {
  const pgas_case *with;
  const struct collective_kind *kind;
  struct group group;
  int root;        /* index in the group */
  int is_rising;   /* higher PEs contribute more */
  size_t elements; /* of a block of the case's size */
  struct strided layout;
  struct sides sides;
};

void *collective_prepare(const pgas_case *with, const struct collective_kind *kind);
void collective_run(void *state, long launch);
int collective_check(void *state, long launch);
void collective_finish(void *state);

/* Elements that a member contributes, or sends to each. */
size_t collective_elements(const struct collective *of, int index);

/* ---- For tables ---- */

#define COLLECTIVE_OPERATION(function, describe, words)                  \
  static void *prepare_##function(const pgas_case *with) {               \
    return collective_prepare(with, &kind_##function);                   \
  }                                                                      \
  static const pgas_operation function = {.name = "shmem_" #function,    \
                                          .help = describe,              \
                                          .arguments = words,            \
                                          .sized = 1,                    \
                                          .prepare = prepare_##function, \
                                          .run = collective_run,         \
                                          .check = collective_check,     \
                                          .finish = collective_finish};

#endif
