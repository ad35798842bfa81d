/* Reductions and prefix reductions: types of numbers and operators are arguments. */
#include <limits.h>
#include <stdlib.h>

#include <mpi.h>

#include "arguments.h"
#include "families.h"
#include "memory.h"
#include "operators.h"
#include "state.h"

#define ARGUMENTS NUMBER_WORDS " " OPERATOR_WORDS
#define ROOTED "root=N " ARGUMENTS

struct reduction;

struct reduction_kind {
  int (*call)(struct reduction *of, const void *send, void *receive);
  int (*begin)(struct reduction *of, const void *send, void *receive, MPI_Request *request);
  enum { ON_ROOT, ON_ALL, IN_PARTS, UP_TO_THIS, BEFORE_THIS } result;
};

struct reduction {
  const pgas_case *with;
  const struct reduction_kind *kind;
  enum number_type number;
  enum operator_kind operator;
  MPI_Comm comm;
  MPI_Datatype type;
  MPI_Op op;
  int rank, size, root;
  int is_rising; /* higher ranks get more */
  int count;     /* numbers of this process's result */
  int *counts;   /* the same for each process, where each gets a part */
  struct buffers send, receive;
  MPI_Request request;
};

/* ---- Preparation ---- */

static int read_arguments(struct reduction *of) {
  const pgas_case *with = of->with;
  of->number = (enum number_type)pgas_argument_choice(with, "type");
  of->operator=(enum operator_kind) pgas_argument_choice(with, "op");
  of->type = pgas_mpi_number(of->number);
  of->op = pgas_mpi_operator(of->operator);
  of->count = pgas_numbers_in(with, of->number, of->operator);
  of->root = (int)number_argument(with, "root", 0, 0, of->size - 1);
  of->is_rising = pgas_argument_choice(with, "blocks") == 1;
  return of->count < 0 || of->root < 0 ? -1 : 0;
}

/* Numbers in the parts of ranks below this one; for the number of ranks, those of all. */
static size_t numbers_below(const struct reduction *of, int rank) {
  size_t below = 0;
  for (int lower = 0; lower < rank; lower++) below += (size_t)of->counts[lower];
  return below;
}

static size_t sent_numbers(const struct reduction *of) {
  return of->kind->result == IN_PARTS ? numbers_below(of, of->size) : (size_t)of->count;
}

static void fill(const struct reduction *of) {
  size_t many = sent_numbers(of);
  for (int buffer = 0; buffer < of->send.count; buffer++)
    for (size_t at = 0; at < many; at++)
      number_store(of->number, buffer_at(&of->send, buffer), at,
                   contribution(of->operator, of->rank, buffer, at));
}

/* All parts have the case's size, or those of higher ranks have more, the case's size on average.
 */
static int make_counts(struct reduction *of) {
  of->counts = calloc((size_t)of->size, sizeof *of->counts);
  if (!of->counts) {
    pgas_complain(of->with, "there is no memory for the parts of %d ranks", of->size);
    return -1;
  }
  for (int rank = 0; rank < of->size; rank++) {
    long share = of->is_rising ? 2L * (rank + 1) : of->size + 1;
    of->counts[rank] = (int)(of->count * share / (of->size + 1));
  }
  of->count = of->counts[of->rank];
  return 0;
}

static int make_buffers(struct reduction *of) {
  size_t each = number_size(of->number);
  int parts = of->kind->result == IN_PARTS ? of->size : 1;
  int buffers = count_of_buffers(of->with->buffers, parts);
  if (make_counts(of) || buffers_make(&of->send, of->with, buffers, sent_numbers(of) * each) ||
      buffers_make(&of->receive, of->with, buffers, (size_t)of->count * each))
    return -1;
  fill(of);
  return 0;
}

static void finish(void *state) {
  struct reduction *of = state;
  buffers_free(&of->send);
  buffers_free(&of->receive);
  free(of->counts);
  free(of);
}

static void *prepare(const pgas_case *with, const struct reduction_kind *kind) {
  struct reduction *of = state_of(with, sizeof *of);
  if (!of) return NULL;
  *of = (struct reduction){.with = with, .kind = kind, .comm = MPI_COMM_WORLD};
  MPI_Comm_rank(of->comm, &of->rank);
  MPI_Comm_size(of->comm, &of->size);
  return state_unless(read_arguments(of) || make_buffers(of), of, finish);
}

/* ---- Launches ---- */

static void start(void *state, long launch) {
  struct reduction *of = state;
  of->kind->begin(of, buffer_at(&of->send, launch), buffer_at(&of->receive, launch), &of->request);
}

static void complete(void *state, long launch) {
  struct reduction *of = state;
  (void)launch;
  MPI_Wait(&of->request, MPI_STATUS_IGNORE);
}

static void run(void *state, long launch) {
  struct reduction *of = state;
  if (of->kind->call) {
    of->kind->call(of, buffer_at(&of->send, launch), buffer_at(&of->receive, launch));
    return;
  }
  start(state, launch);
  complete(state, launch);
}

/* ---- Check ---- */

/* The last process whose numbers are in this one's result; -1: it has no result. */
static int last_rank(const struct reduction *of) {
  switch (of->kind->result) {
    case ON_ROOT: return of->rank == of->root ? of->size - 1 : -1;
    case UP_TO_THIS: return of->rank;
    case BEFORE_THIS: return of->rank - 1;
    default: return of->size - 1;
  }
}

static int check(void *state, long launch) {
  const struct reduction *of = state;
  int buffer = buffer_of(&of->receive, launch), last = last_rank(of);
  size_t begin = of->kind->result == IN_PARTS ? numbers_below(of, of->rank) : 0;
  for (size_t at = 0; last >= 0 && at < (size_t)of->count; at++) {
    struct number right = combined(of->operator, 0, last, buffer, begin + at);
    if (number_is(of->number, buffer_at(&of->receive, launch), at, right)) continue;
    pgas_complain(of->with, "rank %d: number %zu is %g instead of %g", of->rank, at,
                  number_read(of->number, buffer_at(&of->receive, launch), at), right.real);
    return -1;
  }
  return 0;
}

/* ---- Operations ---- */

#define REDUCTION_OPERATION(function, describe, words, ...)              \
  static void *prepare_##function(const pgas_case *with) {               \
    return prepare(with, &kind_##function);                              \
  }                                                                      \
  static const pgas_operation function = {.name = "MPI_" #function,      \
                                          .help = describe,              \
                                          .arguments = words,            \
                                          .sized = 1,                    \
                                          .prepare = prepare_##function, \
                                          .run = run,                    \
                                          .check = check,                \
                                          .finish = finish,              \
                                          __VA_ARGS__};

#define REDUCTION(function, where, describe, words, ...)                                           \
  static int call_##function(struct reduction *of, const void *send, void *receive) {              \
    return MPI_##function(send, receive, __VA_ARGS__, of->comm);                                   \
  }                                                                                                \
  static const struct reduction_kind kind_##function = {.call = call_##function, .result = where}; \
  REDUCTION_OPERATION(function, describe, words, .start = NULL)

#define NONBLOCKING_REDUCTION(function, where, describe, words, ...)                 \
  static int begin_##function(struct reduction *of, const void *send, void *receive, \
                              MPI_Request *request) {                                \
    return MPI_##function(send, receive, __VA_ARGS__, of->comm, request);            \
  }                                                                                  \
  static const struct reduction_kind kind_##function = {.begin = begin_##function,   \
                                                        .result = where};            \
  REDUCTION_OPERATION(function, describe, words, .start = start, .complete = complete)

#if MPI_VERSION >= 3
#define BOTH(function, i_function, where, describe, words, ...) \
  REDUCTION(function, where, describe, words, __VA_ARGS__)      \
  NONBLOCKING_REDUCTION(i_function, where, describe ", without waiting", words, __VA_ARGS__)
#define LIST_BOTH(function, i_function) &function, &i_function
#else
#define BOTH(function, i_function, where, describe, words, ...) \
  REDUCTION(function, where, describe, words, __VA_ARGS__)
#define LIST_BOTH(function, i_function) &function
#endif

BOTH(Reduce, Ireduce, ON_ROOT, "numbers of all, combined on the root", ROOTED, of->count, of->type,
     of->op, of->root)
BOTH(Allreduce, Iallreduce, ON_ALL, "numbers of all, combined on each", ARGUMENTS, of->count,
     of->type, of->op)
BOTH(Reduce_scatter, Ireduce_scatter, IN_PARTS,
     "numbers of all, combined; each gets its part; blocks: parts of one size, or larger ones for "
     "higher ranks",
     "blocks=equal|rising " ARGUMENTS, of->counts, of->type, of->op)
#if MPI_VERSION >= 3
BOTH(Reduce_scatter_block, Ireduce_scatter_block, IN_PARTS,
     "numbers of all, combined; each gets an equal part", ARGUMENTS, of->count, of->type, of->op)
#endif
BOTH(Scan, Iscan, UP_TO_THIS, "numbers of lower ranks and this one, combined", ARGUMENTS, of->count,
     of->type, of->op)
BOTH(Exscan, Iexscan, BEFORE_THIS, "numbers of lower ranks, combined", ARGUMENTS, of->count,
     of->type, of->op)

const pgas_operation *const pgas_mpi_reductions[] = {
    LIST_BOTH(Reduce, Ireduce),
    LIST_BOTH(Allreduce, Iallreduce),
    LIST_BOTH(Reduce_scatter, Ireduce_scatter),
#if MPI_VERSION >= 3
    LIST_BOTH(Reduce_scatter_block, Ireduce_scatter_block),
#endif
    LIST_BOTH(Scan, Iscan),
    LIST_BOTH(Exscan, Iexscan),
    NULL,
};
