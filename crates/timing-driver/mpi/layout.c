/* Datatypes of messages: bytes, vectors of pieces, and pieces at irregular distances. */
#include "layout.h"

#include <limits.h>
#include <stdlib.h>

#include "arguments.h"

#define PIECE 8

/* Where a piece begins in its element. Indexed ones alternate between both ends of their stride. */
static size_t place_of(const struct layout *layout, size_t piece) {
  size_t begin = piece * layout->stride;
  int at_end = layout->kind == LAYOUT_INDEXED && piece % 2;
  return at_end ? begin + layout->stride - PIECE : begin;
}

static MPI_Datatype pieces_of(const struct layout *layout) {
  MPI_Datatype pieces;
  int count = (int)layout->pieces;
  if (layout->kind == LAYOUT_VECTOR) {
    MPI_Type_vector(count, PIECE, (int)layout->stride, MPI_BYTE, &pieces);
    return pieces;
  }
  int *places = malloc((size_t)count * sizeof *places);
  if (!places) return MPI_DATATYPE_NULL;
  for (int piece = 0; piece < count; piece++) places[piece] = (int)place_of(layout, (size_t)piece);
  MPI_Type_create_indexed_block(count, PIECE, places, MPI_BYTE, &pieces);
  free(places);
  return pieces;
}

/* The next element begins after the last gap. */
static int make_type(struct layout *layout) {
  MPI_Datatype pieces = pieces_of(layout);
  if (pieces == MPI_DATATYPE_NULL) return -1;
  MPI_Type_create_resized(pieces, 0, (MPI_Aint)layout->extent, &layout->type);
  MPI_Type_free(&pieces);
  MPI_Type_commit(&layout->type);
  return 0;
}

static int derived(struct layout *layout, const pgas_case *with) {
  long whole = (long)(with->bytes / PIECE);
  long stride = number_argument(with, "stride", 2 * PIECE, PIECE, 1 << 20);
  long pieces = number_argument(with, "count", whole > 0 ? whole : 1, 1, INT_MAX);
  if (stride < 0 || pieces < 0) return -1;
  layout->unit = (size_t)pieces * PIECE;
  layout->extent = (size_t)pieces * (size_t)stride;
  layout->pieces = (size_t)pieces;
  layout->stride = (size_t)stride;
  if (with->bytes % layout->unit || layout->extent > INT_MAX) {
    pgas_complain(with, "a size of %zu bytes: elements have %ld pieces of 8 bytes, %ld apart",
                  with->bytes, pieces, stride);
    return -1;
  }
  return make_type(layout);
}

int pgas_layout_make(struct layout *layout, const pgas_case *with) {
  *layout = (struct layout){.kind = (enum layout_kind)pgas_argument_choice(with, "datatype"),
                            .type = MPI_BYTE,
                            .unit = 1,
                            .extent = 1};
  if (layout->kind != LAYOUT_BYTES && derived(layout, with)) return -1;
  if (with->bytes / layout->unit > INT_MAX) {
    pgas_complain(with, "a size of %zu bytes is more than an int can count", with->bytes);
    return -1;
  }
  layout->elements = (int)(with->bytes / layout->unit);
  return 0;
}

void pgas_layout_free(struct layout *layout) {
  if (layout->kind != LAYOUT_BYTES) MPI_Type_free(&layout->type);
}

static size_t place_of_byte(const struct layout *layout, size_t byte) {
  if (layout->kind == LAYOUT_BYTES) return byte;
  size_t in_element = byte % layout->unit;
  return byte / layout->unit * layout->extent + place_of(layout, in_element / PIECE) +
         in_element % PIECE;
}

void pgas_layout_fill(const struct layout *layout, char *memory, int elements,
                      struct pattern with) {
  size_t bytes = (size_t)elements * layout->unit;
  for (size_t byte = 0; byte < bytes; byte++)
    memory[place_of_byte(layout, byte)] = (char)pattern_at(with, byte);
}

long pgas_layout_differs(const struct layout *layout, const char *memory, int elements,
                         struct pattern from) {
  size_t bytes = (size_t)elements * layout->unit;
  for (size_t byte = 0; byte < bytes; byte++)
    if ((unsigned char)memory[place_of_byte(layout, byte)] != pattern_at(from, byte))
      return (long)byte;
  return -1;
}
