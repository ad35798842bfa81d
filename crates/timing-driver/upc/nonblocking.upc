/* Transfers that go on while the thread computes, where the compiler has upc_nb.h: with a handle,
   and without. */
#include "families.h"
#include "transfers.h"

#ifdef __UPC_NB__
#include <upc_nb.h>

#define NONBLOCKING(name_of_it, describe, kind, begin, end)                                \
  static void *prepare_##name_of_it(const pgas_case *with) {                               \
    return pgas_upc_prepare_transfer(with, kind);                                          \
  }                                                                                        \
  static void start_##name_of_it(void *state, long launch) {                               \
    struct transfer *of = state;                                                           \
    if (MYTHREAD == 0) begin;                                                              \
  }                                                                                        \
  static void complete_##name_of_it(void *state, long launch) {                            \
    struct transfer *of = state;                                                           \
    (void)of, (void)launch;                                                                \
    if (MYTHREAD == 0) end;                                                                \
  }                                                                                        \
  static void run_##name_of_it(void *state, long launch) {                                 \
    start_##name_of_it(state, launch);                                                     \
    complete_##name_of_it(state, launch);                                                  \
  }                                                                                        \
  static const pgas_operation name_of_it##_operation = {.name = "upc_" #name_of_it,        \
                                                        .help = describe TRANSFER_HELP,    \
                                                        .arguments = TRANSFER_ARGUMENTS,   \
                                                        .sized = 1,                        \
                                                        .independent = 1,                  \
                                                        .prepare = prepare_##name_of_it,   \
                                                        .ready = forget_read_data,         \
                                                        .run = run_##name_of_it,           \
                                                        .start = start_##name_of_it,       \
                                                        .complete = complete_##name_of_it, \
                                                        .check = pgas_upc_check_transfer,  \
                                                        .finish = pgas_upc_finish_transfer};

/* With a handle, which is kept in the state, and without. */
#define BOTH(operation, describe, kind, ...)                                                   \
  NONBLOCKING(operation##_nb, describe ", and upc_sync", kind,                                 \
              of->handle = upc_##operation##_nb(__VA_ARGS__, of->bytes), upc_sync(of->handle)) \
  NONBLOCKING(operation##_nbi, describe ", and upc_synci", kind,                               \
              upc_##operation##_nbi(__VA_ARGS__, of->bytes), upc_synci())

BOTH(memget, "the partner's block to private memory of thread 0", TRANSFER_GET,
     private_target(of, launch), far_source(of, launch))
BOTH(memput, "a block of private memory of thread 0 to the partner", TRANSFER_PUT,
     far_target(of, launch), private_source(of, launch))
BOTH(memcpy, "a block of shared memory of thread 0 to the partner", TRANSFER_COPY,
     far_target(of, launch), near_source(of, launch))
BOTH(memset, "a byte to the partner's whole block", TRANSFER_SET, far_target(of, launch),
     TRANSFER_BYTE)

#define LIST(operation) &operation##_nb_operation, &operation##_nbi_operation

const pgas_operation *const *pgas_upc_nonblocking(void) {
  static const pgas_operation *const all[] = {LIST(memget), LIST(memput), LIST(memcpy),
                                              LIST(memset), NULL};
  return all;
}

#else

const pgas_operation *const *pgas_upc_nonblocking(void) {
  static const pgas_operation *const none[] = {NULL};
  return none;
}

#endif
