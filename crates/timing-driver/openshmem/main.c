/* The driver of OpenSHMEM: starts the library, lists the families of operations and times them. */
#include <stdio.h>
#include <stdlib.h>

#include "families.h"
#include "patterns.h"
#include "transport.h"

static const pgas_operation *const *const families[] = {
    pgas_pattern_table,          pgas_shmem_barriers,
    pgas_shmem_collectives,      pgas_shmem_reductions,
    pgas_shmem_team_collectives, pgas_shmem_team_reductions,
    pgas_shmem_transfers,        pgas_shmem_singles,
    pgas_shmem_atomics,          pgas_shmem_locks,
    pgas_shmem_ordering,         pgas_shmem_waiting,
    pgas_shmem_memory,           NULL,
};

static int time_all(int argc, char **argv) {
  struct mailboxes *boxes = calloc(1, sizeof *boxes);
  pgas_transport transport;
  if (!boxes || pgas_transport_begin(boxes, &transport)) {
    fprintf(stderr, "there is no memory for mailboxes\n");
    shmem_global_exit(1);
    return 1;
  }
  int status = pgas_time(&transport, families, pgas_own_operation(), argc, argv);
  pgas_transport_finish(boxes);
  free(boxes);
  return status;
}

int main(int argc, char **argv) {
  shmem_init();
  int status = time_all(argc, argv);
  shmem_finalize();
  return status;
}
