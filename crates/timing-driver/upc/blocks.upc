/* upc_memget, upc_memput, upc_memcpy and upc_memset. */
#include "families.h"
#include "transfers.h"

#define BLOCK(operation, describe, kind, ...)                                            \
  static void *prepare_##operation(const pgas_case *with) {                              \
    return pgas_upc_prepare_transfer(with, kind);                                        \
  }                                                                                      \
  static void run_##operation(void *state, long launch) {                                \
    struct transfer *of = state;                                                         \
    if (MYTHREAD == 0) upc_##operation(__VA_ARGS__, of->bytes);                          \
  }                                                                                      \
  static const pgas_operation operation##_operation = {.name = "upc_" #operation,        \
                                                       .help = describe TRANSFER_HELP,   \
                                                       .arguments = TRANSFER_ARGUMENTS,  \
                                                       .sized = 1,                       \
                                                       .independent = 1,                 \
                                                       .prepare = prepare_##operation,   \
                                                       .ready = forget_read_data,        \
                                                       .run = run_##operation,           \
                                                       .check = pgas_upc_check_transfer, \
                                                       .finish = pgas_upc_finish_transfer};

BLOCK(memget, "the partner's block to private memory of thread 0", TRANSFER_GET,
      private_target(of, launch), far_source(of, launch))
BLOCK(memput, "a block of private memory of thread 0 to the partner", TRANSFER_PUT,
      far_target(of, launch), private_source(of, launch))
BLOCK(memcpy, "a block of shared memory of thread 0 to the partner", TRANSFER_COPY,
      far_target(of, launch), near_source(of, launch))
BLOCK(memset, "a byte to the partner's whole block", TRANSFER_SET, far_target(of, launch),
      TRANSFER_BYTE)

const pgas_operation *const *pgas_upc_blocks(void) {
  static const pgas_operation *const all[] = {&memget_operation, &memput_operation,
                                              &memcpy_operation, &memset_operation, NULL};
  return all;
}
