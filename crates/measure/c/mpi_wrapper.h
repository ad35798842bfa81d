/* What every wrapper of an MPI function is made of.
 *
 * The tool generates a wrapper for each function that the user's mpi.h declares and that has a
 * second name PMPI_...: mpi_wrappers.c for C and C++, mpi_fortran_wrappers.c for Fortran. They
 * differ only in how arguments arrive; what a call becomes is in mpi_table.h.
 *
 * Recipe, for a compiler CC (mpicc, or what stands for it):
 *
 *  1. Generate both files from `CC -E` of `#include <mpi.h>`.
 *  2. Compile them and all mpi_*.c: `CC -O2 -g0 -fno-lto -fPIC -c -I.`; in programs of other
 * models, which begin and end the recording themselves, with -DPGAS_MPI_JOINED.
 *  3. Link a small program with them. Functions whose PMPI_ (pmpi_) names the linker misses are
 * left out, and all is done again.
 *
 * Definitions bypass the header's declarations by their symbols (__asm__), since these may carry
 * attributes, such as that a function is deprecated. */
#ifndef PGAS_MPI_WRAPPER_H
#define PGAS_MPI_WRAPPER_H

#include <stddef.h>
#include <stdint.h>

#include <mpi.h>

#include "call_recorder.h"
#include "pgas_measure.h"

#define LIKELY(condition) __builtin_expect(!!(condition), 1)

struct pgas_mpi_group;

/* A call of the program on its way through a wrapper. */
struct pgas_mpi_call {
  pgas_call call;
  pgas_recorder *recorder;
  /* Of a collective operation: whose it is, whether this process is its root, and the thread that
   * is; bytes to and from other processes. */
  const struct pgas_mpi_group *group;
  int is_root, root;
  uint64_t sent, received;
};

/* The kind of region is decided at the enter. */
#define CALL_FROM(name, caller)                 \
  {                                             \
    .call = { PGAS_LIBRARY_CALL, name, caller } \
  }
#define NEW_CALL(name) CALL_FROM(name, __builtin_return_address(0))

/* Whether the call is recorded. Calls that MPI makes itself until end_call are not. */
static inline int begin_call(struct pgas_mpi_call *call) {
  call->recorder = pgas_call_recorder;
  pgas_call_recorder = NULL;
  return call->recorder != NULL;
}

/* Exceptions of C++ that leave a call end it without this. */
static inline void end_call(struct pgas_mpi_call *call) {
  pgas_call_recorder = call->recorder;
  call->recorder = NULL;
}

/* Where a call is left: by an exception it is still recorded then. */
static inline void leave_call(struct pgas_mpi_call *call) {
  if (!call->recorder) return;
  pgas_exit_call(call->recorder, &call->call);
  end_call(call);
}
#define LEFT_IN_ANY_WAY __attribute__((cleanup(leave_call)))

/* ---- Enters and exits, by what a call becomes ---- */

/* A region of which the name is known; of functions for files it is input and output. */
extern void pgas_mpi_enter_plain(struct pgas_mpi_call *);
extern void pgas_mpi_enter_region(struct pgas_mpi_call *, int region);
static inline void pgas_mpi_exit(struct pgas_mpi_call *call) {
  pgas_exit_call(call->recorder, &call->call);
}

extern uint64_t pgas_mpi_bytes(int64_t count, MPI_Datatype);

/* Messages; MPI_PROC_NULL and MPI_ANY_SOURCE are no thread. */
extern void pgas_mpi_enter_message(struct pgas_mpi_call *, int region, uint64_t bytes, int partner,
                                   MPI_Comm);
extern void pgas_mpi_enter_matched(struct pgas_mpi_call *, uint64_t bytes);
extern void pgas_mpi_exit_received(struct pgas_mpi_call *, int succeeded, const MPI_Status *,
                                   MPI_Comm);

/* An operation of all threads is the given kind of region, one of others a group's. Returns 0 if
 * it is neither: nothing is known of its bytes then. `root` is a rank, or -1. */
extern int pgas_mpi_enter_collective(struct pgas_mpi_call *, MPI_Comm, int region, int flow,
                                     int root);
extern int pgas_mpi_enter_group(struct pgas_mpi_call *, const struct pgas_mpi_group *, int region,
                                int flow, int root);
extern int pgas_mpi_enter_scan(struct pgas_mpi_call *, MPI_Comm);
extern void pgas_mpi_exit_collective(struct pgas_mpi_call *);
extern int pgas_mpi_ranks(const struct pgas_mpi_call *);
extern int pgas_mpi_rank(const struct pgas_mpi_call *);

/* One-sided operations. */
extern void pgas_mpi_enter_transfer(struct pgas_mpi_call *, int region, uint64_t bytes, int target,
                                    MPI_Win);
extern void pgas_mpi_note_window(int succeeded, MPI_Win);
extern void pgas_mpi_enter_window(struct pgas_mpi_call *, MPI_Win, int region, int flow);
extern void pgas_mpi_enter_fence(struct pgas_mpi_call *, int assertion, MPI_Win);
extern void pgas_mpi_enter_lock(struct pgas_mpi_call *, int type, int target, MPI_Win);
extern void pgas_mpi_enter_unlock(struct pgas_mpi_call *, int target, MPI_Win);
extern void pgas_mpi_enter_post(struct pgas_mpi_call *, MPI_Group, MPI_Win);
extern void pgas_mpi_enter_start(struct pgas_mpi_call *, MPI_Group, MPI_Win);
extern void pgas_mpi_exit_start(struct pgas_mpi_call *, MPI_Win);
extern void pgas_mpi_enter_complete(struct pgas_mpi_call *, MPI_Win);
extern void pgas_mpi_exit_complete(struct pgas_mpi_call *, MPI_Win);
extern void pgas_mpi_exit_wait(struct pgas_mpi_call *, int is_over, MPI_Win);

#endif
