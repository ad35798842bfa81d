/* A window on one process, and the epochs in which process 0 accesses it. */
#ifndef PGAS_TIMING_EPOCHS_H
#define PGAS_TIMING_EPOCHS_H

#include <mpi.h>

#include "buffers.h"
#include "pgas_operation.h"

/* Arguments of one-sided operations. */
#if MPI_VERSION >= 3
#define EPOCH_ARGUMENTS \
  "partner=near|far|own|N sync=lock_all|lock|lock_exclusive|fence|pscw window=allocate|create"
/* Operations with a request are for epochs of locks. */
#define REQUEST_EPOCH_ARGUMENTS \
  "partner=near|far|own|N sync=lock_all|lock|lock_exclusive window=allocate|create"
#else
#define EPOCH_ARGUMENTS "partner=near|far|own|N sync=lock|lock_exclusive|fence|pscw"
#endif
#define EPOCH_HELP "; sync: flush, or an epoch for each; pscw: post, start, complete, wait"

enum epoch_sync { SYNC_LOCK_ALL, SYNC_LOCK, SYNC_LOCK_EXCLUSIVE, SYNC_FENCE, SYNC_PSCW };

struct epochs {
  const pgas_case *with;
  enum epoch_sync sync;
  int rank, target;
  int is_origin, is_target;
  MPI_Win window;
  MPI_Group origins, targets;
  struct buffers memory; /* the target's; others know its measures alone */
  int is_allocated;      /* by the window */
};

/* A window of memory that is there. Returns 0, or -1 after a complaint: Open MPI has none for a
   single process on some networks. */
int pgas_create_window(const pgas_case *with, void *memory, size_t bytes, MPI_Win *window);

/* Makes the window with buffers of these bytes. Returns 0, or -1 after a complaint. */
int pgas_epochs_make(struct epochs *epochs, const pgas_case *with, size_t bytes);

/* Lets epochs begin, after the target has filled its memory. */
void pgas_epochs_ready(struct epochs *epochs);

/* Before the operation and after it, on all processes. */
void pgas_epoch_open(struct epochs *epochs);
void pgas_epoch_close(struct epochs *epochs);

/* Around readings of the target's own memory. */
void pgas_epochs_look(struct epochs *epochs);
void pgas_epochs_look_away(struct epochs *epochs);

void pgas_epochs_free(struct epochs *epochs);

/* Place of a launch's buffer in the target's memory. */
static inline MPI_Aint epoch_place(const struct epochs *epochs, long launch) {
  return (MPI_Aint)((size_t)buffer_of(&epochs->memory, launch) * epochs->memory.each);
}

#endif
