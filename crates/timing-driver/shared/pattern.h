/* Contents of buffers: bytes that say which thread sent them, in which of its blocks and buffers,
   and at which position they stand, so that a byte in a wrong place is noticed. */
#ifndef PGAS_PATTERN_H
#define PGAS_PATTERN_H

#include <stddef.h>
#include <stdint.h>

struct pattern {
  int source; /* thread */
  int block;  /* of those that it sends */
  int buffer;
};

static inline unsigned char pattern_at(struct pattern of, size_t position) {
  uint32_t mixed = (uint32_t)of.source * 0x9e3779b1u + (uint32_t)of.block * 0x85ebca77u +
                   (uint32_t)of.buffer * 0xc2b2ae3du + (uint32_t)position * 0x27d4eb2fu;
  return (unsigned char)((mixed ^ mixed >> 15) >> 7);
}

#endif
