/* Clocks of the nodes that processes of MPI run on. */
#ifndef PGAS_MPI_CLOCKS_H
#define PGAS_MPI_CLOCKS_H

#include "pgas_measure.h"

/* All processes call it when they have just left the same barrier: with round 0 when the program
 * begins, with 1 when it ends. */
extern void pgas_mpi_compare_clocks(pgas_recorder *, int round);

#endif
