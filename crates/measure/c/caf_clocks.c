/* Coarray Fortran: comparison of the nodes' clocks, in a coarray of its own. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

#include "caf_clocks.h"
#include "caf_image.h"
#include "caf_library.h"

extern void REAL(register)(size_t, int, caf_token *, caf_section *, int *, char *, size_t);
extern void REAL(get)(caf_token, size_t, int, caf_section *, caf_subscript *, caf_section *, int,
                      int, bool, int *);
extern void REAL(send)(caf_token, size_t, int, caf_section *, caf_subscript *, caf_section *, int,
                       int, bool, int *, void *);
extern void REAL(sync_all)(int *, char *, size_t);

static caf_token token;
static volatile uint64_t *own_cells;
static int is_needed;

static caf_section section_of(void *base) {
  return (caf_section){.base = base,
                       .element_bytes = sizeof(uint64_t),
                       .type = CAF_INTEGER,
                       .span = sizeof(uint64_t)};
}

static uint64_t get_cell(int image, int cell) {
  uint64_t value = 0;
  caf_section here = section_of(&value);
  caf_section there = section_of((void *)(own_cells + cell));
  REAL(get)(token, (size_t)cell * sizeof value, image + 1, &there, NULL, &here, sizeof value,
            sizeof value, false, NULL);
  return value;
}

/* MPI may deliver what others write only while this image is in one of its functions. That of Open
 * MPI is called by name; for others, a look at a neighbour does. */
static void let_others_write(void) {
  static void (*progress)(void);
  static int is_looked_up;
  if (!is_looked_up) *(void **)&progress = dlsym(RTLD_DEFAULT, "opal_progress");
  is_looked_up = 1;
  if (progress) progress();
  else (void)get_cell((pgas_caf_image.number + 1) % pgas_caf_image.images, 0);
}

static uint64_t read_cell(int image, int cell) {
  if (image != pgas_caf_image.number) return get_cell(image, cell);
  let_others_write();
  return own_cells[cell];
}

static void write_cell(int image, int cell, uint64_t value) {
  if (image == pgas_caf_image.number) {
    own_cells[cell] = value;
    return;
  }
  caf_section here = section_of(&value);
  caf_section there = section_of((void *)(own_cells + cell));
  REAL(send)(token, (size_t)cell * sizeof value, image + 1, &there, NULL, &here, sizeof value,
             sizeof value, false, NULL, NULL);
}

static int has_cells(void) {
  if (own_cells) return 1;
  caf_section cells = section_of(NULL);
  REAL(register)(PGAS_CELLS * sizeof(uint64_t), CAF_STATIC_COARRAY, &token, &cells, NULL, NULL, 0);
  if (!cells.base) return 0;
  own_cells = cells.base;
  memset(cells.base, 0, PGAS_CELLS * sizeof(uint64_t));
  REAL(sync_all)(NULL, NULL, 0);
  return 1;
}

void pgas_caf_compare_clocks(pgas_recorder *recorder, int round) {
  if (pgas_caf_image.images == 1 || !has_cells()) return;
  const pgas_cells access = {read_cell, write_cell};
  is_needed =
      pgas_compare_clocks(recorder, pgas_caf_image.number, pgas_caf_image.images, round, &access);
}

void pgas_caf_compare_clocks_again(pgas_recorder *recorder) {
  if (is_needed) pgas_caf_compare_clocks(recorder, 1);
}
