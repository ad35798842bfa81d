/* Buffers of symmetric memory, and strided contents of them. */
#ifndef PGAS_TIMING_SYMMETRIC_H
#define PGAS_TIMING_SYMMETRIC_H

#include <shmem.h>
#include <stdlib.h>
#include <string.h>

#include "buffers.h"
#include "pattern.h"
#include "pgas_operation.h"

/* Fills buffers that are to receive something, so that the result of nothing is no right one. */
#define UNTOUCHED 0xa5

/* All PEs together. Returns 0, or -1 after a complaint. */
static inline int symmetric_make(struct buffers *buffers, const pgas_case *with, int count,
                                 size_t bytes) {
  *buffers = (struct buffers){NULL, buffer_distance(bytes), count};
  size_t all = buffers->each * (size_t)count;
  if (!all) return 0;
  buffers->memory = shmem_align(BUFFER_ALIGNMENT, all);
  if (!buffers->memory) {
    pgas_complain(with, "the symmetric heap has no %zu bytes; SHMEM_SYMMETRIC_SIZE sets its size",
                  all);
    return -1;
  }
  memset(buffers->memory, UNTOUCHED, all);
  return 0;
}

static inline void symmetric_free(struct buffers *buffers) {
  if (buffers->memory) shmem_free(buffers->memory);
  buffers->memory = NULL;
}

/* Elements of `width` bytes, `stride` elements apart. */
struct strided {
  size_t width, stride;
};

static inline size_t strided_place(struct strided how, size_t byte) {
  return byte / how.width * how.stride * how.width + byte % how.width;
}

static inline void strided_fill(struct strided how, char *memory, size_t bytes,
                                struct pattern with) {
  for (size_t byte = 0; byte < bytes; byte++)
    memory[strided_place(how, byte)] = (char)pattern_at(with, byte);
}

/* Position of the first byte that differs from the pattern; -1 if none does. */
static inline long strided_differs(struct strided how, const char *memory, size_t bytes,
                                   struct pattern from) {
  for (size_t byte = 0; byte < bytes; byte++)
    if ((unsigned char)memory[strided_place(how, byte)] != pattern_at(from, byte))
      return (long)byte;
  return -1;
}

#endif
