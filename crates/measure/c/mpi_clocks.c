/* MPI: comparison of the nodes' clocks, in a window of the tool's own that is made where processes
 * run on several nodes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#include "call_recorder.h"
#include "mpi_clocks.h"

static MPI_Comm comm;
static MPI_Win window;
static volatile uint64_t *own_cells;
static int is_needed;

/* MPI may deliver what others write only while this process is in one of its functions. */
static uint64_t read_cell(int rank, int cell) {
  uint64_t value = 0;
  if (rank == pgas_call_thread) {
    int is_there;
    PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &is_there, MPI_STATUS_IGNORE);
    PMPI_Win_sync(window);
    return own_cells[cell];
  }
  PMPI_Get(&value, 1, MPI_UINT64_T, rank, cell, 1, MPI_UINT64_T, window);
  PMPI_Win_flush(rank, window);
  return value;
}

static void write_cell(int rank, int cell, uint64_t value) {
  if (rank == pgas_call_thread) {
    own_cells[cell] = value;
    PMPI_Win_sync(window);
    return;
  }
  PMPI_Put(&value, 1, MPI_UINT64_T, rank, cell, 1, MPI_UINT64_T, window);
  PMPI_Win_flush(rank, window);
}

/* Tests disguise processes of one node as ones of several. */
static int are_several_nodes(void) {
  MPI_Comm node;
  int of_node = 0, are_several = 0;
  PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  PMPI_Comm_size(node, &of_node);
  PMPI_Comm_free(&node);
  int here = of_node < pgas_call_threads || getenv("PGAS_TEST_CLOCKS") != NULL;
  PMPI_Allreduce(&here, &are_several, 1, MPI_INT, MPI_MAX, comm);
  return are_several;
}

/* A library that has no such windows costs the comparison, not the program. */
static int has_cells(void) {
  void *base = NULL;
  PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  int bytes = PGAS_CELLS * (int)sizeof(uint64_t);
  int made = PMPI_Win_allocate(bytes, sizeof(uint64_t), MPI_INFO_NULL, comm, &base, &window);
  int is_there = made == MPI_SUCCESS && base, are_there = 0;
  PMPI_Allreduce(&is_there, &are_there, 1, MPI_INT, MPI_MIN, comm);
  if (!are_there) return 0;
  own_cells = base;
  memset(base, 0, (size_t)bytes);
  PMPI_Win_lock_all(0, window);
  PMPI_Win_sync(window);
  PMPI_Barrier(comm);
  return 1;
}

static void compare(pgas_recorder *recorder, int round) {
  const pgas_cells access = {read_cell, write_cell};
  is_needed = pgas_compare_clocks(recorder, pgas_call_thread, pgas_call_threads, round, &access);
}

static void begin(pgas_recorder *recorder) {
  PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
  if (are_several_nodes() && has_cells()) compare(recorder, 0);
}

static void end(pgas_recorder *recorder) {
  if (own_cells) {
    if (is_needed) compare(recorder, 1);
    PMPI_Win_unlock_all(window);
    PMPI_Win_free(&window);
  }
  PMPI_Comm_free(&comm);
}

void pgas_mpi_compare_clocks(pgas_recorder *recorder, int round) {
  if (pgas_call_threads == 1) return;
  if (round == 0) begin(recorder);
  else end(recorder);
}
