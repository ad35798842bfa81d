/* Shared memory of operations: the same number of bytes with affinity to each thread. */
#ifndef PGAS_UPC_PLACES_H
#define PGAS_UPC_PLACES_H

#include <upc.h>
#include "arguments.h"
#include "buffers.h"
#include "pattern.h"
#include "state.h"

struct places {
  shared void *base;
  size_t each; /* distance of two buffers */
  int count;   /* of buffers */
};

/* Buffers of `bytes` on each thread; by all threads together. */
static inline struct places places_of(size_t bytes, int count) {
  size_t each = buffer_distance(bytes > 0 ? bytes : 1);
  struct places places = {upc_all_alloc(THREADS, each * (size_t)count), each, count};
  return places;
}

/* Frees them when no thread needs them any more; by all threads together. */
static inline void free_places(const struct places *places) {
  upc_barrier;
  if (MYTHREAD == 0) upc_free(places->base);
}

/* The buffer of a launch on a thread. */
static inline shared[] char *place_on(const struct places *places, int thread, long launch) {
  shared[] char *first = (shared[] char *)((shared char *)places->base + thread);
  return first + (size_t)(launch % places->count) * places->each;
}

/* The buffer of a launch on this thread. */
static inline char *own_place(const struct places *places, long launch) {
  return (char *)place_on(places, MYTHREAD, launch);
}

/* Before a launch that reads others' data: a runtime may keep what it has read until a fence, and
   no launch must find what an earlier one has read. */
static inline void forget_read_data(void *state, long launch) {
  (void)state, (void)launch;
  upc_fence;
}

/* A size of at least one byte; 0 after a complaint. */
static inline size_t some_bytes(const pgas_case *with) {
  if (with->bytes == 0) pgas_complain(with, "the size must be at least 1 byte");
  return with->bytes;
}

#endif
