/* Coarray Fortran: the interface between gfortran's code and a coarray library, as far as its calls
 * are recorded, and what a wrapper is made of.
 *
 * gfortran turns statements on coarrays into calls of _gfortran_caf_...; the linker's option
 * --wrap=_gfortran_caf_NAME (caf_wraps.txt) leads those of the program to
 * __wrap__gfortran_caf_NAME, which is defined here, and lets it call the library's as
 * __real__gfortran_caf_NAME. Calls within the library stay as they are. The interface is described
 * in gfortran's manual ("Coarray Programming"); this is that of gfortran 8 to 14.
 *
 * Recipe, for programs that gfortran or `caf` (OpenCoarrays) compiles with -fcoarray=lib:
 *
 *  1. Compile all caf_*.c with gcc or clang: `cc -O2 -g0 -fno-lto -c -DPGAS_GFORTRAN=12
 *     -I<where pgas_measure.h is>` with the major version that `gfortran -dumpversion` prints, and
 *     without the user's flags. No header of the library or of MPI is needed. -fPIC does no harm.
 *  2. Where a program is linked, these objects come before anything of the user's, so that the
 *     coarray library is still to come wherever the user has put it; the recorder and
 *     `-ldl -lpthread -lm` come last. All options of caf_wraps.txt are always given, also those
 *     of functions that the library lacks: a wrapper without its function ends the program if it is
 *     called, and the program would not have linked without it. Of libraries like libcaf_single.a,
 *     which lack teams, the rest is recorded.
 *  3. Fortran code is best compiled with -fno-optimize-sibling-calls: a call at the end of a
 *     procedure may otherwise seem to come from where the procedure was called.
 *  4. -fcoarray=single and programs without coarrays have no calls of the library, and do not link
 *     with these objects (`__real__gfortran_caf_init` is undefined): leave them out. */
#ifndef PGAS_CAF_LIBRARY_H
#define PGAS_CAF_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#if defined PGAS_GFORTRAN && (PGAS_GFORTRAN < 8 || PGAS_GFORTRAN > 14)
#error "the interface of coarrays is known for gfortran 8 to 14 only"
#endif

/* ---- Wrappers ---- */

/* The head of a function that takes the place of the library's; REAL is that one. */
#define WRAPPER(result, name, parameters)               \
  extern result __real__gfortran_caf_##name parameters; \
  extern result __wrap__gfortran_caf_##name parameters; \
  result __wrap__gfortran_caf_##name parameters
#define REAL(name) __real__gfortran_caf_##name

/* A function that not every library has. */
#define OPTIONAL(result, name, parameters) \
  extern result __real__gfortran_caf_##name parameters __attribute__((weak));

/* A program that links with a wrapper links without the library's function, too. */
static inline void demand(int is_there, const char *statement) {
  if (is_there) return;
  fprintf(stderr, "the program's coarray library has no %s\n", statement);
  abort();
}

/* ---- Types ---- */

/* Identifies a coarray on its image. */
typedef void *caf_token;
typedef void *caf_team;

/* What is registered. */
enum {
  CAF_STATIC_COARRAY = 0,
  CAF_ALLOCATED_COARRAY = 1,
  CAF_STATIC_LOCK = 2,
  CAF_ALLOCATED_LOCK = 3,
  CAF_CRITICAL = 4,
  CAF_STATIC_EVENT = 5,
  CAF_ALLOCATED_EVENT = 6,
  /* A component of a coarray's elements: at first its token alone, then memory on one image. */
  CAF_COMPONENT_TOKEN = 7,
  CAF_COMPONENT_MEMORY = 8
};

/* What is given up: a coarray, or the memory of a component on one image. */
enum { CAF_WHOLE_COARRAY = 0, CAF_MEMORY_ONLY = 1 };

#define CAF_DIMENSIONS 15

typedef struct caf_dimension {
  ptrdiff_t stride, lower, upper;
} caf_dimension;

/* A scalar or an array section: gfortran's array descriptor. */
typedef struct caf_section {
  void *base;
  size_t offset;
  size_t element_bytes;
  int version;
  signed char rank, type;
  short attribute;
  ptrdiff_t span;
  caf_dimension dimensions[CAF_DIMENSIONS]; /* as many as its rank are there */
} caf_section;

#define CAF_INTEGER 1 /* a type of elements */

/* A subscript of one dimension: a vector of this many numbers, or if there are none, a range. */
typedef struct caf_subscript {
  size_t vector_length;
  union {
    struct {
      void *numbers;
      int kind;
    } vector;
    struct {
      ptrdiff_t lower, upper, stride;
    } range;
  } of;
} caf_subscript;

/* A step on the way to a part of a coarray of derived type. */
enum { CAF_COMPONENT = 0, CAF_DESCRIBED_ARRAY = 1, CAF_STATIC_ARRAY = 2 };
/* How a dimension of an array is subscripted. */
enum {
  CAF_NO_DIMENSION = 0,
  CAF_VECTOR = 1,
  CAF_ALL = 2,
  CAF_RANGE = 3,
  CAF_SINGLE = 4,
  CAF_FROM = 5,
  CAF_UNTIL = 6
};
typedef struct caf_reference {
  struct caf_reference *next;
  int step;
  size_t item_bytes;
  union {
    struct {
      ptrdiff_t offset;
      ptrdiff_t token_offset; /* not 0 for a component that is allocated by itself */
    } component;
    struct {
      unsigned char modes[CAF_DIMENSIONS];
      int static_type;
      union {
        struct {
          ptrdiff_t start, end, stride;
        } range;
        struct {
          void *numbers;
          size_t length;
          int kind;
        } vector;
      } dimensions[CAF_DIMENSIONS];
    } array;
  } of;
} caf_reference;

#endif
