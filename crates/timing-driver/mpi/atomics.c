/* One-sided operations that combine numbers with those in a window. */
#include <stdlib.h>

#include <mpi.h>

#include "epochs.h"
#include "families.h"
#include "memory.h"
#include "operators.h"
#include "state.h"

/* Values of compare and swap, which every type of number holds. */
#define SWAPPED_VALUES 100

struct update;

struct update_kind {
  void (*begin)(struct update *of, long launch);
  int is_single; /* one number, not a message of them */
  int fetches;   /* the numbers from before */
  int is_swap;   /* compare and swap: no operator, integers alone */
};

struct update {
  const pgas_case *with;
  const struct update_kind *kind;
  struct epochs epochs;
  enum number_type number;
  enum operator_kind operator;
  MPI_Datatype type;
  MPI_Op op;
  int count;
  struct buffers local, result; /* of process 0 */
  long *launches;               /* by buffer */
  MPI_Request request;          /* of operations that have one */
};

/* ---- Values ---- */

/* A number of the target's after as many launches. */
static struct number value_after(const struct update *of, long launches, int buffer, size_t at) {
  if (of->kind->is_swap) return number_from((uint64_t)(launches % SWAPPED_VALUES));
  struct number value = contribution(of->operator, 1, buffer, at);
  for (long i = 0; i < launches; i++)
    value = combine(of->operator, value, contribution(of->operator, 0, buffer, at));
  return value;
}

static void fill(const struct update *of) {
  for (int buffer = 0; buffer < of->epochs.memory.count; buffer++)
    for (size_t at = 0; at < (size_t)of->count; at++) {
      if (of->epochs.is_origin)
        number_store(of->number, buffer_at(&of->local, buffer), at,
                     contribution(of->operator, 0, buffer, at));
      if (of->epochs.is_target)
        number_store(of->number, buffer_at(&of->epochs.memory, buffer), at,
                     value_after(of, 0, buffer, at));
    }
}

/* ---- Life of an operation ---- */

static int read_arguments(struct update *of) {
  int number = pgas_argument_choice(of->with, "type");
  of->number = (enum number_type)(of->kind->is_swap ? NUMBER_WHOLE + number : number);
  of->operator= of->kind->is_swap ? OPERATOR_replace
                                  : (enum operator_kind) pgas_argument_choice(of->with, "op");
  of->type = pgas_mpi_number(of->number);
  of->op = pgas_mpi_operator(of->operator);
  int count = pgas_numbers_in(of->with, of->number, of->operator);
  of->count = of->kind->is_single ? 1 : count;
  return count < 0 ? -1 : 0;
}

static int make_local(struct update *of, size_t bytes) {
  int count = of->with->buffers;
  of->launches = calloc((size_t)count, sizeof *of->launches);
  if (!of->launches) {
    pgas_complain(of->with, "there is no memory for the operation");
    return -1;
  }
  if (of->with->thread) return 0;
  return buffers_make(&of->local, of->with, count, bytes) ||
                 buffers_make(&of->result, of->with, count, bytes)
             ? -1
             : 0;
}

static int make(struct update *of) {
  if (read_arguments(of)) return -1;
  size_t bytes = (size_t)of->count * number_size(of->number);
  if (make_local(of, bytes) || pgas_epochs_make(&of->epochs, of->with, bytes)) return -1;
  fill(of);
  pgas_epochs_ready(&of->epochs);
  return 0;
}

static void release(void *state) {
  struct update *of = state;
  buffers_free(&of->local);
  buffers_free(&of->result);
  free(of->launches);
  free(of);
}

static void *prepare(const pgas_case *with, const struct update_kind *kind) {
  struct update *of = state_of(with, sizeof *of);
  if (!of) return NULL;
  *of = (struct update){.with = with, .kind = kind, .request = MPI_REQUEST_NULL};
  return state_unless(make(of), of, release);
}

static void start(void *state, long launch) {
  struct update *of = state;
  pgas_epoch_open(&of->epochs);
  if (of->epochs.is_origin) of->kind->begin(of, launch);
  of->launches[buffer_of(&of->epochs.memory, launch)]++;
}

static void complete(void *state, long launch) {
  struct update *of = state;
  (void)launch;
  MPI_Wait(&of->request, MPI_STATUS_IGNORE);
  pgas_epoch_close(&of->epochs);
}

static void run(void *state, long launch) {
  start(state, launch);
  complete(state, launch);
}

static void finish(void *state) {
  struct update *of = state;
  pgas_epochs_free(&of->epochs);
  release(of);
}

/* ---- Check ---- */

static int compare(const struct update *of, const char *memory, long launches, int buffer,
                   const char *where) {
  for (size_t at = 0; at < (size_t)of->count; at++) {
    struct number right = value_after(of, launches, buffer, at);
    if (number_is(of->number, memory, at, right)) continue;
    pgas_complain(of->with, "rank %d: number %zu %s is %g instead of %g", of->epochs.rank, at,
                  where, number_read(of->number, memory, at), right.real);
    return -1;
  }
  return 0;
}

static int check(void *state, long launch) {
  struct update *of = state;
  int buffer = buffer_of(&of->epochs.memory, launch), status = 0;
  long launches = of->launches[buffer];
  if (of->epochs.is_target) {
    pgas_epochs_look(&of->epochs);
    status = compare(of, buffer_at(&of->epochs.memory, launch), launches, buffer, "in the window");
    pgas_epochs_look_away(&of->epochs);
  }
  if (!status && of->epochs.is_origin && of->kind->fetches)
    status = compare(of, buffer_at(&of->result, launch), launches - 1, buffer, "fetched");
  return status;
}

/* ---- Operations ---- */

#define GIVEN buffer_at(&of->local, launch), of->count, of->type
#define FETCHED buffer_at(&of->result, launch), of->count, of->type
#define REMOTE                                                                      \
  of->epochs.target, epoch_place(&of->epochs, launch), of->count, of->type, of->op, \
      of->epochs.window

static void accumulate(struct update *of, long launch) { MPI_Accumulate(GIVEN, REMOTE); }

#if MPI_VERSION >= 3
static void raccumulate(struct update *of, long launch) {
  MPI_Raccumulate(GIVEN, REMOTE, &of->request);
}

static void get_accumulate(struct update *of, long launch) {
  MPI_Get_accumulate(GIVEN, FETCHED, REMOTE);
}

static void rget_accumulate(struct update *of, long launch) {
  MPI_Rget_accumulate(GIVEN, FETCHED, REMOTE, &of->request);
}

static void fetch_and_op(struct update *of, long launch) {
  MPI_Fetch_and_op(buffer_at(&of->local, launch), buffer_at(&of->result, launch), of->type,
                   of->epochs.target, epoch_place(&of->epochs, launch), of->op, of->epochs.window);
}

/* Each launch finds the value that the one before it left, so each one swaps. */
static void compare_and_swap(struct update *of, long launch) {
  int buffer = buffer_of(&of->epochs.memory, launch);
  long double now, next; /* room for a number of any type */
  number_store(of->number, &now, 0, value_after(of, of->launches[buffer], buffer, 0));
  number_store(of->number, &next, 0, value_after(of, of->launches[buffer] + 1, buffer, 0));
  memcpy(buffer_at(&of->local, launch), &next, number_size(of->number));
  memcpy(buffer_at(&of->local, launch) + sizeof next, &now, number_size(of->number));
  MPI_Compare_and_swap(buffer_at(&of->local, launch), buffer_at(&of->local, launch) + sizeof next,
                       buffer_at(&of->result, launch), of->type, of->epochs.target,
                       epoch_place(&of->epochs, launch), of->epochs.window);
}
#endif

#define UPDATE(function, call, single, fetching, swaps, describe, epochs, words)     \
  static const struct update_kind kind_##function = {call, single, fetching, swaps}; \
  static void *prepare_##function(const pgas_case *with) {                           \
    return prepare(with, &kind_##function);                                          \
  }                                                                                  \
  static const pgas_operation function = {.name = "MPI_" #function,                  \
                                          .help = describe EPOCH_HELP,               \
                                          .arguments = epochs " " words,             \
                                          .sized = !single,                          \
                                          .prepare = prepare_##function,             \
                                          .run = run,                                \
                                          .start = start,                            \
                                          .complete = complete,                      \
                                          .check = check,                            \
                                          .finish = finish};

#define SET_WORDS NUMBER_WORDS " " OPERATOR_WORDS "|replace"
#define FETCH_WORDS SET_WORDS "|no_op"

UPDATE(Accumulate, accumulate, 0, 0, 0, "rank 0 combines numbers with the partner's",
       EPOCH_ARGUMENTS, SET_WORDS)
#if MPI_VERSION >= 3
UPDATE(Raccumulate, raccumulate, 0, 0, 0,
       "rank 0 combines numbers with the partner's, with a request", REQUEST_EPOCH_ARGUMENTS,
       SET_WORDS)
UPDATE(Get_accumulate, get_accumulate, 0, 1, 0,
       "rank 0 combines numbers with the partner's and gets those from before", EPOCH_ARGUMENTS,
       FETCH_WORDS)
UPDATE(Rget_accumulate, rget_accumulate, 0, 1, 0,
       "rank 0 combines numbers with the partner's and gets those from before, with a request",
       REQUEST_EPOCH_ARGUMENTS, FETCH_WORDS)
UPDATE(Fetch_and_op, fetch_and_op, 1, 1, 0,
       "rank 0 combines one number with the partner's and gets that from before", EPOCH_ARGUMENTS,
       FETCH_WORDS)
UPDATE(Compare_and_swap, compare_and_swap, 1, 1, 1,
       "rank 0 replaces the partner's number, which is the expected one", EPOCH_ARGUMENTS,
       WHOLE_WORDS)
#endif

const pgas_operation *const pgas_mpi_atomics[] = {
    &Accumulate,
#if MPI_VERSION >= 3
    &Raccumulate, &Get_accumulate, &Rget_accumulate, &Fetch_and_op, &Compare_and_swap,
#endif
    NULL,
};
