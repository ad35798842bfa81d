/* Collective operations of teams, which OpenSHMEM has from 1.5. */
#include "families.h"
#include "version.h"

const pgas_operation *const pgas_shmem_teams[] = {NULL};
