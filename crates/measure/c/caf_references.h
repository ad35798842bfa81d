/* Coarray Fortran: parts of coarrays of derived type, as far as the own image knows what they are:
 * how large an allocated component is, only its image knows. */
#ifndef PGAS_CAF_REFERENCES_H
#define PGAS_CAF_REFERENCES_H

#include "caf_numbers.h"
#include "caf_sections.h"

#define UNKNOWN ((uint64_t)-1)

/* Elements of one step that is an array. */
static inline uint64_t array_elements(const caf_reference *step) {
  uint64_t number = 1;
  for (int i = 0; i < CAF_DIMENSIONS && step->of.array.modes[i] != CAF_NO_DIMENSION; i++) {
    switch (step->of.array.modes[i]) {
      case CAF_SINGLE: break;
      case CAF_VECTOR: number *= step->of.array.dimensions[i].vector.length; break;
      case CAF_RANGE:
        number *=
            extent(step->of.array.dimensions[i].range.start, step->of.array.dimensions[i].range.end,
                   step->of.array.dimensions[i].range.stride);
        break;
      default: return UNKNOWN;
    }
  }
  return number;
}

/* Elements of a part, UNKNOWN if only its image knows that. */
static inline uint64_t part_elements(const caf_reference *step) {
  uint64_t number = 1;
  for (; step; step = step->next) {
    if (step->step == CAF_COMPONENT) continue;
    uint64_t of_step = array_elements(step);
    if (of_step == UNKNOWN) return UNKNOWN;
    number *= of_step;
  }
  return number;
}

/* The number of bytes of an element of a part. */
static inline uint64_t part_element_bytes(const caf_reference *step) {
  while (step && step->next) step = step->next;
  return step ? step->item_bytes : 0;
}

/* Where a part lies; 0 if only its image knows that. */
static inline uint64_t part_address(caf_token token, const caf_reference *step) {
  uint64_t offset = 0;
  for (; step; step = step->next) {
    if (step->step != CAF_COMPONENT || step->of.component.token_offset) return 0;
    offset += (uint64_t)step->of.component.offset;
  }
  return pgas_caf_address(token, offset);
}

#endif
