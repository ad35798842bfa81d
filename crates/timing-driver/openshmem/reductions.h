/* Reductions over an active set or a team. */
#ifndef PGAS_TIMING_REDUCTIONS_H
#define PGAS_TIMING_REDUCTIONS_H

#include "group.h"
#include "numbers.h"
#include "sides.h"

struct reduction;

/* The call for one type of numbers. */
typedef void (*reduce)(struct reduction *of, void *dest, const void *source, void *work,
                       long *sync);

struct reduction_kind {
  const reduce *calls; /* in the order of the argument's values, as `types` */
  const enum number_type *types;
  enum operator_kind operator;
  int has_team; /* instead of an active set */
};

struct reduction {
  const pgas_case *with;
  const struct reduction_kind *kind;
  reduce call;
  enum number_type number;
  struct group group;
  int count; /* numbers */
  struct sides sides;
  struct buffers work; /* of active sets */
};

void *reduction_prepare(const pgas_case *with, const struct reduction_kind *kind);
void reduction_run(void *state, long launch);
int reduction_check(void *state, long launch);
void reduction_finish(void *state);

/* ---- For tables ---- */

#define REDUCTION_OPERATION(operation, function, describe, words)          \
  static void *prepare_##operation(const pgas_case *with) {                \
    return reduction_prepare(with, &kind_##operation);                     \
  }                                                                        \
  static const pgas_operation operation = {.name = "shmem_" #function,     \
                                           .help = describe,               \
                                           .arguments = words,             \
                                           .sized = 1,                     \
                                           .prepare = prepare_##operation, \
                                           .run = reduction_run,           \
                                           .check = reduction_check,       \
                                           .finish = reduction_finish};

#endif
