/* The driver of UPC: lists the families of operations and times what the job says. */
#include <upc.h>
#include <stddef.h>
#include "families.h"
#include "transport.h"

int main(int argc, char **argv) {
  const pgas_operation *const *const families[] = {
      pgas_patterns(),       pgas_upc_barriers(), pgas_upc_fences(),      pgas_upc_collectives(),
      pgas_upc_reductions(), pgas_upc_locks(),    pgas_upc_blocks(),      pgas_upc_nonblocking(),
      pgas_upc_accesses(),   pgas_upc_atomics(),  pgas_upc_allocations(), NULL};
  pgas_transport through;
  pgas_upc_open(&through);
  return pgas_time(&through, families, pgas_own_operation(), argc, argv);
}
