/* The driver of UPC: lists the families of operations and times what the job says. */
#include <upc.h>
#include <stdio.h>
#include <stdlib.h>
#include "families.h"
#include "transport.h"

#define FAMILIES (sizeof families / sizeof *families)

static pgas_family *const families[] = {
    pgas_patterns,    pgas_upc_barriers,    pgas_upc_collectives, pgas_upc_reductions,
    pgas_upc_locks,   pgas_upc_blocks,      pgas_upc_nonblocking, pgas_upc_accesses,
    pgas_upc_atomics, pgas_upc_allocations,
};

/* Appends the operations of all families to a list, if there is one; returns their number. */
static size_t gather(const pgas_operation **list) {
  size_t count = 0;
  for (size_t family = 0; family < FAMILIES; family++)
    for (const pgas_operation *const *one = families[family](); *one; one++, count++)
      if (list) list[count] = *one;
  return count;
}

int main(int argc, char **argv) {
  const pgas_operation **operations = calloc(gather(NULL) + 1, sizeof *operations);
  if (!operations) {
    fprintf(stderr, "there is no memory for the list of operations\n");
    upc_global_exit(1);
  }
  gather(operations);
  pgas_transport through;
  pgas_upc_open(&through);
  int status = pgas_time(&through, operations, pgas_own_operation(), argc, argv);
  free(operations);
  return status;
}
