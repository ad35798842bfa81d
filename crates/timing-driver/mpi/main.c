/* The driver of MPI: starts the library, lists the families of operations and times them. */
#include <stdio.h>
#include <stdlib.h>

#include "families.h"
#include "transport.h"

#define FAMILIES (sizeof families / sizeof *families)

static const pgas_operation *const *const families[] = {
    pgas_mpi_barriers, pgas_mpi_collectives, pgas_mpi_reductions, pgas_mpi_neighbours,
    pgas_mpi_messages, pgas_mpi_windows,     pgas_mpi_atomics,    pgas_mpi_creation,
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
  struct messages *messages = malloc(sizeof *messages);
  const pgas_operation **operations = calloc(gather(NULL) + 1, sizeof *operations);
  if (!messages || !operations) {
    fprintf(stderr, "there is no memory for the list of operations\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
    return 1;
  }
  gather(operations);
  pgas_transport transport;
  pgas_transport_begin(messages, &transport);
  int status = pgas_time(&transport, operations, pgas_own_operation(), argc, argv);
  pgas_transport_finish(messages);
  free(operations);
  free(messages);
  return status;
}

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  int status = time_all(argc, argv);
  MPI_Finalize();
  return status;
}
