/* The families of operations, each a table in a file of its own that ends with NULL. */
#ifndef PGAS_TIMING_FAMILIES_H
#define PGAS_TIMING_FAMILIES_H

#include "pgas_operation.h"

extern const pgas_operation *const pgas_shmem_barriers[];
extern const pgas_operation *const pgas_shmem_collectives[];
extern const pgas_operation *const pgas_shmem_reductions[];
extern const pgas_operation *const pgas_shmem_team_collectives[];
extern const pgas_operation *const pgas_shmem_team_reductions[];
extern const pgas_operation *const pgas_shmem_transfers[];
extern const pgas_operation *const pgas_shmem_singles[];
extern const pgas_operation *const pgas_shmem_atomics[];
extern const pgas_operation *const pgas_shmem_locks[];
extern const pgas_operation *const pgas_shmem_ordering[];
extern const pgas_operation *const pgas_shmem_waiting[];
extern const pgas_operation *const pgas_shmem_memory[];

#endif
