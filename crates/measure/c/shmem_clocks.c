/* OpenSHMEM: comparison of the nodes' clocks, in variables that are symmetric since they are static
 * ones of the program. */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "shmem_clocks.h"
#include "shmem_wrapper.h"

static volatile long cells[PGAS_CELLS];
static int is_needed = 1;

REAL(long, shmem_long_g, (const volatile long *source, int pe))
REAL(void, shmem_long_p, (volatile long *dest, long value, int pe))
REAL(void, shmem_quiet, (void))
REAL(int, shmem_addr_accessible, (const volatile void *, int pe))
#ifdef HAVE_shmem_long_test
REAL(int, shmem_long_test, (volatile long *word, int comparison, long value))
#endif

/* Some libraries deliver what others write only while the PE is in one of their functions. A test
 * is one for most; that of Open MPI only looks, so that its progress is called by name. */
static void let_others_write(volatile long *word) {
  static void (*progress)(void);
  static int is_looked_up;
  if (!is_looked_up) *(void **)&progress = dlsym(RTLD_DEFAULT, "opal_progress");
  is_looked_up = 1;
  if (progress) {
    progress();
    return;
  }
#ifdef HAVE_shmem_long_test
  (void)CALL(shmem_long_test)(word, SHMEM_CMP_NE, *word);
#else
  (void)word;
  CALL(shmem_quiet)();
#endif
}

static uint64_t read_cell(int pe, int cell) {
  if (pe != pgas_shmem.my_pe) return (uint64_t)CALL(shmem_long_g)(&cells[cell], pe);
  let_others_write(&cells[cell]);
  return (uint64_t)cells[cell];
}

static void write_cell(int pe, int cell, uint64_t value) {
  if (pe == pgas_shmem.my_pe) {
    cells[cell] = (long)value;
    return;
  }
  CALL(shmem_long_p)(&cells[cell], (long)value, pe);
  CALL(shmem_quiet)();
}

void pgas_shmem_compare_clocks(pgas_recorder *recorder, int round) {
  _Static_assert(sizeof(long) == sizeof(uint64_t), "cells are of type long");
  int next = (pgas_shmem.my_pe + 1) % pgas_shmem.n_pes;
  if (pgas_shmem.n_pes == 1 || !is_needed || !CALL(shmem_addr_accessible)(cells, next)) return;
  const pgas_cells access = {read_cell, write_cell};
  is_needed = pgas_compare_clocks(recorder, pgas_shmem.my_pe, pgas_shmem.n_pes, round, &access);
}
