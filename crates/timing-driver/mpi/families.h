/* The families of operations, each a table in a file of its own that ends with NULL. */
#ifndef PGAS_TIMING_FAMILIES_H
#define PGAS_TIMING_FAMILIES_H

#include "pgas_operation.h"

extern const pgas_operation *const pgas_mpi_barriers[];
extern const pgas_operation *const pgas_mpi_collectives[];
extern const pgas_operation *const pgas_mpi_reductions[];
extern const pgas_operation *const pgas_mpi_neighbours[];
extern const pgas_operation *const pgas_mpi_messages[];
extern const pgas_operation *const pgas_mpi_windows[];
extern const pgas_operation *const pgas_mpi_atomics[];
extern const pgas_operation *const pgas_mpi_creation[];

#endif
