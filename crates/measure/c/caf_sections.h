/* Coarray Fortran: how much data a section is. */
#ifndef PGAS_CAF_SECTIONS_H
#define PGAS_CAF_SECTIONS_H

#include "caf_library.h"

static inline uint64_t extent(ptrdiff_t lower, ptrdiff_t upper, ptrdiff_t stride) {
  ptrdiff_t steps = stride == 0 ? 0 : (upper - lower) / stride;
  return steps < 0 || (upper - lower) * (stride < 0 ? -1 : 1) < 0 ? 0 : (uint64_t)steps + 1;
}

static inline uint64_t subscript_extent(const caf_subscript *subscript) {
  if (subscript->vector_length) return subscript->vector_length;
  return extent(subscript->of.range.lower, subscript->of.range.upper, subscript->of.range.stride);
}

/* Elements of a section. `subscripts` are null unless there is a vector among them; then they
 * count, and not the section's bounds. */
static inline uint64_t elements(const caf_section *section, const caf_subscript *subscripts) {
  uint64_t number = 1;
  for (int i = 0; i < section->rank; i++) {
    const caf_dimension *dimension = &section->dimensions[i];
    number *= subscripts ? subscript_extent(&subscripts[i])
                         : extent(dimension->lower, dimension->upper, 1);
  }
  return number;
}

static inline uint64_t section_bytes(const caf_section *section, const caf_subscript *subscripts) {
  return elements(section, subscripts) * section->element_bytes;
}

#endif
