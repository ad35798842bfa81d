/* Buffers of ordinary memory. */
#ifndef PGAS_TIMING_MEMORY_H
#define PGAS_TIMING_MEMORY_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "buffers.h"
#include "pgas_operation.h"

/* Fills buffers that are to receive something, so that the result of nothing is no right one. */
#define UNTOUCHED 0xa5

/* Returns 0, or -1 after a complaint. */
static inline int buffers_make(struct buffers *buffers, const pgas_case *with, int count,
                               size_t bytes) {
  buffers->count = count;
  buffers->each = buffer_distance(bytes);
  buffers->memory = NULL;
  size_t all = buffers->each * (size_t)count;
  if (!all) return 0;
  void *memory;
  if (posix_memalign(&memory, 4096, all)) {
    pgas_complain(with, "there is no memory for %d buffers of %zu bytes", count, bytes);
    return -1;
  }
  memset(memory, UNTOUCHED, all);
  buffers->memory = memory;
  return 0;
}

static inline void buffers_free(struct buffers *buffers) { free(buffers->memory); }

#endif
