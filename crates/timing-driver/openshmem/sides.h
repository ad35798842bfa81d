/* Buffers of an operation that takes data from some PEs and gives them to others. */
#ifndef PGAS_TIMING_SIDES_H
#define PGAS_TIMING_SIDES_H

#include "symmetric.h"

struct sides {
  struct buffers source, dest;
};

/* All PEs together. Returns 0, or -1 after a complaint; they may be freed either way. */
static inline int sides_make(struct sides *sides, const pgas_case *with, int count,
                             size_t source_bytes, size_t dest_bytes) {
  if (symmetric_make(&sides->source, with, count, source_bytes)) return -1;
  return symmetric_make(&sides->dest, with, count, dest_bytes);
}

static inline void sides_free(struct sides *sides) {
  symmetric_free(&sides->source);
  symmetric_free(&sides->dest);
}

#endif
