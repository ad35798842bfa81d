/* Buffers that launches rotate through. */
#ifndef PGAS_BUFFERS_H
#define PGAS_BUFFERS_H

#include <stddef.h>

/* Buffers begin at cache lines. */
#define BUFFER_ALIGNMENT 64

struct buffers {
  char *memory; /* null if a buffer has no bytes */
  size_t each;  /* distance of two buffers in bytes */
  int count;
};

/* A buffer of several blocks needs as much more memory, so there are fewer of them. */
static inline int count_of_buffers(int asked_for, int blocks) {
  int count = blocks > 1 ? asked_for / blocks : asked_for;
  return count > 1 ? count : 1;
}

/* Distance of two buffers that have these many bytes. */
static inline size_t buffer_distance(size_t bytes) {
  return (bytes + BUFFER_ALIGNMENT - 1) / BUFFER_ALIGNMENT * BUFFER_ALIGNMENT;
}

static inline int buffer_of(const struct buffers *buffers, long launch) {
  return (int)(launch % buffers->count);
}

static inline char *buffer_at(const struct buffers *buffers, long launch) {
  if (!buffers->memory) return NULL;
  return buffers->memory + (size_t)buffer_of(buffers, launch) * buffers->each;
}

#endif
