/* The families of operations, each a table in a file of its own that ends with NULL. A function
   returns it, since addresses of other files' data are no constants with all compilers. */
#ifndef PGAS_UPC_FAMILIES_H
#define PGAS_UPC_FAMILIES_H

#include "pgas_operation.h"

typedef const pgas_operation *const *pgas_family(void);

pgas_family pgas_patterns, pgas_upc_barriers, pgas_upc_collectives, pgas_upc_reductions,
    pgas_upc_locks, pgas_upc_allocations, pgas_upc_blocks, pgas_upc_accesses, pgas_upc_atomics,
    pgas_upc_fences, pgas_upc_nonblocking;

#endif
