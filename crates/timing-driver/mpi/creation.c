/* Making communicators and windows; freeing them is not timed. */
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#include "arguments.h"
#include "epochs.h"
#include "families.h"
#include "state.h"

/* What one launch makes. */
union made {
  MPI_Comm comm;
  MPI_Win window;
};

struct creation;

struct creation_kind {
  /* Returns 0, or -1 after a complaint. */
  int (*make)(struct creation *of, union made *made);
  int (*is_right)(const struct creation *of, const union made *made);
  void (*free)(union made *made);
};

struct creation {
  const pgas_case *with;
  const struct creation_kind *kind;
  int rank, size;
  int groups;   /* that a communicator is split into */
  char *memory; /* of windows */
  union made *made;
  long count, room;
};

/* ---- Life of an operation ---- */

static int make_memory(struct creation *of) {
  of->memory = malloc(of->with->bytes + 1);
  if (of->memory) return 0;
  pgas_complain(of->with, "there is no memory for a window of %zu bytes", of->with->bytes);
  return -1;
}

/* Makes one to see whether it can be had. */
static int try(struct creation *of) {
  union made made;
  if (of->kind->make(of, &made)) return -1;
  of->kind->free(&made);
  return 0;
}

static void *prepare(const pgas_case *with, const struct creation_kind *kind) {
  struct creation *of = state_of(with, sizeof *of);
  if (!of) return NULL;
  *of = (struct creation){.with = with, .kind = kind};
  MPI_Comm_rank(MPI_COMM_WORLD, &of->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &of->size);
  of->groups = (int)number_argument(with, "groups", of->size > 1 ? 2 : 1, 1, of->size);
  if (of->groups > 0 && !make_memory(of) && !try(of)) return of;
  free(of->memory);
  free(of);
  return NULL;
}

/* Room for what is made in one launch after another with none freed in between. */
static void ready(void *state, long launch) {
  struct creation *of = state;
  (void)launch;
  if (of->count < of->room) return;
  long room = of->room ? 2 * of->room : 64;
  union made *made = realloc(of->made, (size_t)room * sizeof *made);
  if (!made) return;
  of->made = made;
  of->room = room;
}

static void run(void *state, long launch) {
  struct creation *of = state;
  ready(state, launch);
  if (of->count == of->room) MPI_Abort(MPI_COMM_WORLD, 1);
  of->kind->make(of, &of->made[of->count++]);
}

/* The newest is kept until the next launch, for the check. */
static void done(void *state, long launch) {
  struct creation *of = state;
  (void)launch;
  while (of->count > 1) {
    of->kind->free(&of->made[0]);
    memmove(of->made, of->made + 1, (size_t)--of->count * sizeof *of->made);
  }
}

static int check(void *state, long launch) {
  struct creation *of = state;
  (void)launch;
  if (of->count && of->kind->is_right(of, &of->made[of->count - 1])) return 0;
  pgas_complain(of->with, "rank %d: the result has not the members or the memory asked for",
                of->rank);
  return -1;
}

static void finish(void *state) {
  struct creation *of = state;
  while (of->count) of->kind->free(&of->made[--of->count]);
  free(of->made);
  free(of->memory);
  free(of);
}

/* ---- Communicators ---- */

static void free_comm(union made *made) { MPI_Comm_free(&made->comm); }

static int make_dup(struct creation *of, union made *made) {
  (void)of;
  return MPI_Comm_dup(MPI_COMM_WORLD, &made->comm);
}

static int is_dup(const struct creation *of, const union made *made) {
  int result;
  (void)of;
  MPI_Comm_compare(MPI_COMM_WORLD, made->comm, &result);
  return result == MPI_CONGRUENT;
}

/* In the opposite order of ranks. */
static int make_split(struct creation *of, union made *made) {
  return MPI_Comm_split(MPI_COMM_WORLD, of->rank % of->groups, -of->rank, &made->comm);
}

static int is_split(const struct creation *of, const union made *made) {
  int rank, size, above = (of->size - 1 - of->rank) / of->groups;
  MPI_Comm_rank(made->comm, &rank);
  MPI_Comm_size(made->comm, &size);
  return rank == above && size == above + 1 + of->rank / of->groups;
}

/* ---- Windows ---- */

static void free_window(union made *made) { MPI_Win_free(&made->window); }

static int make_window(struct creation *of, union made *made) {
  return pgas_create_window(of->with, of->memory, of->with->bytes, &made->window);
}

#if MPI_VERSION >= 3
static int allocate_window(struct creation *of, union made *made) {
  void *memory;
  return MPI_Win_allocate((MPI_Aint)of->with->bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                          &made->window);
}
#endif

static int is_window(const struct creation *of, const union made *made) {
  MPI_Aint *bytes;
  int is_there;
  MPI_Win_get_attr(made->window, MPI_WIN_SIZE, &bytes, &is_there);
  return is_there && *bytes == (MPI_Aint)of->with->bytes;
}

/* ---- Operations ---- */

#define CREATION(function, how, what, describe, words, is_sized)                     \
  static const struct creation_kind kind_##function = {how, is_##what, free_##what}; \
  static void *prepare_##function(const pgas_case *with) {                           \
    return prepare(with, &kind_##function);                                          \
  }                                                                                  \
  static const pgas_operation function = {.name = "MPI_" #function,                  \
                                          .help = describe,                          \
                                          .arguments = words,                        \
                                          .sized = is_sized,                         \
                                          .prepare = prepare_##function,             \
                                          .ready = ready,                            \
                                          .run = run,                                \
                                          .done = done,                              \
                                          .check = check,                            \
                                          .finish = finish};

#define free_dup free_comm
#define free_split free_comm
CREATION(Comm_dup, make_dup, dup, "a second communicator of all", NULL, 0)
CREATION(Comm_split, make_split, split, "communicators of `groups` groups of ranks", "groups=N", 0)
CREATION(Win_create, make_window, window, "a window of memory that is there", NULL, 1)
#if MPI_VERSION >= 3
CREATION(Win_allocate, allocate_window, window, "a window with memory of its own", NULL, 1)
#endif

const pgas_operation *const pgas_mpi_creation[] = {
    &Comm_dup,     &Comm_split, &Win_create,
#if MPI_VERSION >= 3
    &Win_allocate,
#endif
    NULL,
};
