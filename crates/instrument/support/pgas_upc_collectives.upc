/* Reports the collective operations of a runtime that does not do so itself. This file goes into a measured program's link
 * as a source; the program's calls come here by the tool's upc_collective.h, which also tells where they are. */
#define PGAS_COLLECTIVES_ARE_NOT_REPLACED
#include <upc.h>
#include <upc_collective.h>

#include "headers/pgas_collectives.h"

/* What the runtime does inside of an operation is reported below it; these functions are not. */
#pragma pupc off

/* The decoder's. A pointer-to-shared is handed on as the place where it is stored. */
extern void pgas_collective_start(int region, const char *file, int line);
extern void pgas_collective_end(int region, const void *to, const void *from, size_t bytes, int flags);

void pgas_report_relocalization(int region, const char *file, int line, pgas_relocalization *operation, shared void *to,
                                shared const void *from, size_t bytes, upc_flag_t flags) {
  pgas_collective_start(region, file, line);
  operation(to, from, bytes, flags);
  pgas_collective_end(region, &to, &from, bytes, flags);
}

void pgas_report_permutation(int region, const char *file, int line, pgas_permutation *operation, shared void *to,
                             shared const void *from, shared const int *order, size_t bytes, upc_flag_t flags) {
  pgas_collective_start(region, file, line);
  operation(to, from, order, bytes, flags);
  pgas_collective_end(region, &to, &from, bytes, flags);
}

/* A thread passes on one partial result. */
#define COMPUTATION(x, type)                                                                                           \
  void pgas_report_computation_##x(int region, const char *file, int line, pgas_computation_##x *operation,            \
                                   shared void *to, shared const void *from, upc_op_t op, size_t elements,             \
                                   size_t block, type (*function)(type, type), upc_flag_t flags) {                     \
    pgas_collective_start(region, file, line);                                                                         \
    operation(to, from, op, elements, block, function, flags);                                                         \
    pgas_collective_end(region, &to, &from, sizeof(type), flags);                                                      \
  }
PGAS_ELEMENT_TYPES(COMPUTATION)
