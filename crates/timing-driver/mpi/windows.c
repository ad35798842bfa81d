/* One-sided transfers: process 0 writes to a window or reads from it, with a request or without. */
#include <stdlib.h>

#include "epochs.h"
#include "families.h"
#include "layout.h"
#include "memory.h"
#include "state.h"

#define ARGUMENTS EPOCH_ARGUMENTS " " LAYOUT_ARGUMENTS
#define REQUEST_ARGUMENTS REQUEST_EPOCH_ARGUMENTS " " LAYOUT_ARGUMENTS

struct transfer;

struct transfer_kind {
  void (*begin)(struct transfer *of, void *local, MPI_Aint place);
  int is_read;
};

struct transfer {
  const pgas_case *with;
  const struct transfer_kind *kind;
  struct epochs epochs;
  struct layout layout;
  struct buffers local; /* of process 0 */
  MPI_Request request;
};

/* ---- Life of an operation ---- */

static void fill(const struct layout *layout, const struct buffers *buffers, int rank) {
  for (int buffer = 0; buffer < buffers->count; buffer++) {
    struct pattern pattern = {rank, 0, buffer};
    pgas_layout_fill(layout, buffer_at(buffers, buffer), layout->elements, pattern);
  }
}

static int make(struct transfer *of) {
  if (pgas_layout_make(&of->layout, of->with)) return -1;
  size_t bytes = (size_t)of->layout.elements * of->layout.extent;
  if (of->with->thread == 0 && buffers_make(&of->local, of->with, of->with->buffers, bytes))
    return -1;
  if (pgas_epochs_make(&of->epochs, of->with, bytes)) return -1;
  if (bytes && of->kind->is_read && of->epochs.is_target)
    fill(&of->layout, &of->epochs.memory, of->epochs.rank);
  if (bytes && !of->kind->is_read && of->epochs.is_origin) fill(&of->layout, &of->local, 0);
  pgas_epochs_ready(&of->epochs);
  return 0;
}

static void release(void *state) {
  struct transfer *of = state;
  buffers_free(&of->local);
  free(of);
}

static void *prepare(const pgas_case *with, const struct transfer_kind *kind) {
  struct transfer *of = state_of(with, sizeof *of);
  if (!of) return NULL;
  *of = (struct transfer){.with = with, .kind = kind, .request = MPI_REQUEST_NULL};
  return state_unless(make(of), of, release);
}

static void start(void *state, long launch) {
  struct transfer *of = state;
  pgas_epoch_open(&of->epochs);
  if (of->epochs.is_origin)
    of->kind->begin(of, buffer_at(&of->local, launch), epoch_place(&of->epochs, launch));
}

static void complete(void *state, long launch) {
  struct transfer *of = state;
  (void)launch;
  MPI_Wait(&of->request, MPI_STATUS_IGNORE);
  pgas_epoch_close(&of->epochs);
}

static void run(void *state, long launch) {
  start(state, launch);
  complete(state, launch);
}

static void finish(void *state) {
  struct transfer *of = state;
  pgas_epochs_free(&of->epochs);
  pgas_layout_free(&of->layout);
  release(of);
}

/* ---- Check ---- */

static int compare(const struct transfer *of, const struct buffers *received, int source,
                   long launch) {
  struct pattern right = {source, 0, buffer_of(received, launch)};
  long place =
      pgas_layout_differs(&of->layout, buffer_at(received, launch), of->layout.elements, right);
  if (place < 0) return 0;
  pgas_complain(of->with, "rank %d: byte %ld, from rank %d, is wrong", of->epochs.rank, place,
                source);
  return -1;
}

static int check(void *state, long launch) {
  struct transfer *of = state;
  int status = 0;
  if (of->kind->is_read)
    return of->epochs.is_origin ? compare(of, &of->local, of->epochs.target, launch) : 0;
  if (!of->epochs.is_target) return 0;
  pgas_epochs_look(&of->epochs);
  status = compare(of, &of->epochs.memory, 0, launch);
  pgas_epochs_look_away(&of->epochs);
  return status;
}

/* ---- Operations ---- */

#define COUNT of->layout.elements, of->layout.type
#define REMOTE COUNT, of->epochs.target, place, COUNT, of->epochs.window

#define TRANSFER(function, reads, describe, words, ...)                                 \
  static void begin_##function(struct transfer *of, void *local, MPI_Aint place) {      \
    MPI_##function(local, __VA_ARGS__);                                                 \
  }                                                                                     \
  static const struct transfer_kind kind_##function = {begin_##function, reads};        \
  static void *prepare_##function(const pgas_case *with) {                              \
    return prepare(with, &kind_##function);                                             \
  }                                                                                     \
  static const pgas_operation function = {.name = "MPI_" #function,                     \
                                          .help = describe EPOCH_HELP "; " LAYOUT_HELP, \
                                          .arguments = words,                           \
                                          .sized = 1,                                   \
                                          .prepare = prepare_##function,                \
                                          .run = run,                                   \
                                          .start = start,                               \
                                          .complete = complete,                         \
                                          .check = check,                               \
                                          .finish = finish};

TRANSFER(Put, 0, "rank 0 writes to the partner's window", ARGUMENTS, REMOTE)
TRANSFER(Get, 1, "rank 0 reads from the partner's window", ARGUMENTS, REMOTE)
#if MPI_VERSION >= 3
TRANSFER(Rput, 0, "rank 0 writes to the partner's window, with a request", REQUEST_ARGUMENTS,
         REMOTE, &of->request)
TRANSFER(Rget, 1, "rank 0 reads from the partner's window, with a request", REQUEST_ARGUMENTS,
         REMOTE, &of->request)
#endif

const pgas_operation *const pgas_mpi_windows[] = {
    &Put,  &Get,
#if MPI_VERSION >= 3
    &Rput, &Rget,
#endif
    NULL,
};
