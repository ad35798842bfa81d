/* Collective operations that move blocks unchanged: each process sends some blocks and receives
   some, and knows of each received one which process sent it as which of its blocks. */
#ifndef PGAS_TIMING_BLOCKS_H
#define PGAS_TIMING_BLOCKS_H

#include <mpi.h>

#include "buffers.h"
#include "layout.h"
#include "pgas_operation.h"

struct block {
  int peer;     /* rank that it goes to or comes from; MPI_PROC_NULL: none */
  int index;    /* of a received one: which of the blocks that its sender sends */
  int or_index; /* the other one that it may be, where the standard leaves it open */
  int elements; /* of the layout's type */
};

struct exchange;

/* One operation. */
struct exchange_kind {
  /* Says which blocks this process sends and receives, by `exchange_blocks` and the functions
     below. Returns 0, or -1 after a complaint. */
  int (*plan)(struct exchange *exchange);
  /* One of them: the call that waits for the end, or the one that does not. */
  int (*call)(struct exchange *exchange, const void *send, void *receive);
  int (*begin)(struct exchange *exchange, const void *send, void *receive, MPI_Request *request);
  int is_in_place; /* the root's block is where others receive it */
};

struct side {
  int count;
  struct block *blocks;
  /* The same for calls that take arrays: elements, and places in elements and in bytes. */
  int *elements, *places, *byte_places;
  MPI_Aint *addresses;
  MPI_Datatype *types;
  struct buffers buffers;
};

struct exchange {
  const pgas_case *with;
  const struct exchange_kind *kind;
  MPI_Comm comm;
  int is_own_comm; /* made for this case */
  int rank, size, root;
  int is_rising; /* blocks of different sizes */
  struct layout layout;
  int slot; /* elements from one block to the next */
  struct side send, receive;
  MPI_Request request;
};

void *pgas_exchange_prepare(const pgas_case *with, const struct exchange_kind *kind);
void pgas_exchange_run(void *state, long launch);
void pgas_exchange_start(void *state, long launch);
void pgas_exchange_complete(void *state, long launch);
int pgas_exchange_check(void *state, long launch);
void pgas_exchange_finish(void *state);

/* ---- For plans ---- */

/* Makes room for these numbers of blocks. Returns 0, or -1 after a complaint. */
int pgas_exchange_blocks(struct exchange *exchange, int sent, int received);

/* Elements of a block from a process to another: all have the same number, or those of higher ranks
   have more, the case's size on average. */
int pgas_elements_between(const struct exchange *exchange, int source, int destination);

/* ---- For tables ---- */

#define EXCHANGE_OPERATION(function, describe, words, ...)                \
  static void *prepare_##function(const pgas_case *with) {                \
    return pgas_exchange_prepare(with, &kind_##function);                 \
  }                                                                       \
  static const pgas_operation function = {.name = "MPI_" #function,       \
                                          .help = describe,               \
                                          .arguments = words,             \
                                          .sized = 1,                     \
                                          .prepare = prepare_##function,  \
                                          .run = pgas_exchange_run,       \
                                          .check = pgas_exchange_check,   \
                                          .finish = pgas_exchange_finish, \
                                          __VA_ARGS__};

/* An operation of MPI in its form that waits and the one that does not. `of`, `send` and `receive`
   are what the arguments of the call are made from. */
#define EXCHANGE(function, how, in_place, describe, words, ...)                      \
  static int call_##function(struct exchange *of, const void *send, void *receive) { \
    (void)send, (void)receive;                                                       \
    return MPI_##function(__VA_ARGS__, of->comm);                                    \
  }                                                                                  \
  static const struct exchange_kind kind_##function = {                              \
      .plan = how, .call = call_##function, .is_in_place = in_place};                \
  EXCHANGE_OPERATION(function, describe, words, .start = NULL)

#define NONBLOCKING_EXCHANGE(function, how, in_place, describe, words, ...)         \
  static int begin_##function(struct exchange *of, const void *send, void *receive, \
                              MPI_Request *request) {                               \
    (void)send, (void)receive;                                                      \
    return MPI_##function(__VA_ARGS__, of->comm, request);                          \
  }                                                                                 \
  static const struct exchange_kind kind_##function = {                             \
      .plan = how, .begin = begin_##function, .is_in_place = in_place};             \
  EXCHANGE_OPERATION(function, describe, words, .start = pgas_exchange_start,       \
                     .complete = pgas_exchange_complete)

#if MPI_VERSION >= 3
#define BOTH_EXCHANGES(function, i_function, how, in_place, describe, words, ...) \
  EXCHANGE(function, how, in_place, describe, words, __VA_ARGS__)                 \
  NONBLOCKING_EXCHANGE(i_function, how, in_place, describe ", without waiting", words, __VA_ARGS__)
#define LIST_BOTH(function, i_function) &function, &i_function
#else
#define BOTH_EXCHANGES(function, i_function, how, in_place, describe, words, ...) \
  EXCHANGE(function, how, in_place, describe, words, __VA_ARGS__)
#define LIST_BOTH(function, i_function) &function
#endif

#endif
