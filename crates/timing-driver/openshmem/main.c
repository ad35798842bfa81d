/* The driver of OpenSHMEM: starts the library, lists the families of operations and times them. */
#include <stdio.h>
#include <stdlib.h>

#include "families.h"
#include "transport.h"

#define FAMILIES (sizeof families / sizeof *families)

static const pgas_operation *const *const families[] = {
    pgas_shmem_barriers,  pgas_shmem_collectives, pgas_shmem_reductions, pgas_shmem_teams,
    pgas_shmem_transfers, pgas_shmem_singles,     pgas_shmem_atomics,    pgas_shmem_locks,
    pgas_shmem_ordering,  pgas_shmem_memory,
};

/* Appends the operations of all families to a list, if there is one; returns their number. */
static size_t gather(const pgas_operation **list) {
  size_t count = 0;
  for (size_t family = 0; family < FAMILIES; family++)
    for (const pgas_operation *const *one = families[family]; *one; one++, count++)
      if (list) list[count] = *one;
  return count;
}

static int time_all(int argc, char **argv) {
  struct mailboxes *boxes = calloc(1, sizeof *boxes);
  const pgas_operation **operations = calloc(gather(NULL) + 1, sizeof *operations);
  pgas_transport transport;
  if (!boxes || !operations || pgas_transport_begin(boxes, &transport)) {
    fprintf(stderr, "there is no memory for mailboxes and operations\n");
    shmem_global_exit(1);
    return 1;
  }
  gather(operations);
  int status = pgas_time(&transport, operations, pgas_own_operation(), argc, argv);
  pgas_transport_finish(boxes);
  free(operations);
  free(boxes);
  return status;
}

int main(int argc, char **argv) {
  shmem_init();
  int status = time_all(argc, argv);
  shmem_finalize();
  return status;
}
