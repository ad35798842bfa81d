/* Clocks of the nodes that the PEs run on. */
#ifndef PGAS_SHMEM_CLOCKS_H
#define PGAS_SHMEM_CLOCKS_H

#include "pgas_measure.h"

/* All PEs call it when they have just left the same barrier: with round 0 when the program begins,
 * with 1 when it ends. */
void pgas_shmem_compare_clocks(pgas_recorder *, int round);

#endif
