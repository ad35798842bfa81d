/* The shared memory by which threads on different nodes compare their clocks: a few words of each thread. This file goes
 * into a measured program's link as a source, for whatever UPC compiler is at hand. */
#include <stdint.h>
#include <upc.h>

/* The functions below run inside of events; events of their own would never end. */
#pragma pupc off

/* The number is that of pgas_measure.h. */
#define PGAS_CELLS 16

struct pgas_cells {
  uint64_t at[PGAS_CELLS];
};

/* Strict, so that all threads see the writes of one in their order. */
static strict shared struct pgas_cells pgas_cells_of[THREADS];

uint64_t pgas_upc_read_cell(int thread, int cell) { return pgas_cells_of[thread].at[cell]; }

void pgas_upc_write_cell(int thread, int cell, uint64_t value) { pgas_cells_of[thread].at[cell] = value; }
