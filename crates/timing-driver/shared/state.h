/* The state of an operation: its memory, and what becomes of it where it cannot be prepared. */
#ifndef PGAS_STATE_H
#define PGAS_STATE_H

#include <stdlib.h>

#include "pgas_operation.h"

/* Zeroed memory for the state; NULL after a complaint. */
static inline void *state_of(const pgas_case *with, size_t bytes) {
  void *state = calloc(1, bytes);
  if (!state) pgas_complain(with, "there is no memory for the operation");
  return state;
}

/* The state, for `prepare` to return; NULL, and all that it has is released, if that failed. */
static inline void *state_unless(int failed, void *state, void (*release)(void *state)) {
  if (!failed) return state;
  release(state);
  return NULL;
}

#endif
