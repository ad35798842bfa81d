/* Layout of a message in memory: consecutive bytes, or a derived datatype of pieces with gaps. */
#ifndef PGAS_TIMING_LAYOUT_H
#define PGAS_TIMING_LAYOUT_H

#include <mpi.h>

#include "pattern.h"
#include "pgas_operation.h"

/* Arguments of operations whose messages have a layout. */
#define LAYOUT_ARGUMENTS "datatype=bytes|vector|indexed count=N stride=N"
#define LAYOUT_HELP "datatype: 8-byte pieces, `count` in one element, `stride` bytes apart"

enum layout_kind { LAYOUT_BYTES, LAYOUT_VECTOR, LAYOUT_INDEXED };

struct layout {
  enum layout_kind kind;
  MPI_Datatype type;
  int elements;  /* of the type, in a message of the case's size */
  size_t unit;   /* bytes in one element */
  size_t extent; /* distance of two elements in memory */
  size_t pieces; /* in one element */
  size_t stride; /* distance of two pieces */
};

/* Reads the arguments and makes the datatype. Returns 0, or -1 after a complaint. */
int pgas_layout_make(struct layout *layout, const pgas_case *with);
void pgas_layout_free(struct layout *layout);

/* Writes a pattern into as many elements. */
void pgas_layout_fill(const struct layout *layout, char *memory, int elements, struct pattern with);

/* Position of the first byte of as many elements that differs from the pattern; -1 if none does. */
long pgas_layout_differs(const struct layout *layout, const char *memory, int elements,
                         struct pattern from);

#endif
