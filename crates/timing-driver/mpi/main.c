/* The driver of MPI: starts the library, lists the families of operations and times them. */
#include <stdio.h>
#include <stdlib.h>

#include "families.h"
#include "patterns.h"
#include "transport.h"

static const pgas_operation *const *const families[] = {
    pgas_pattern_table,   pgas_mpi_barriers,
    pgas_mpi_collectives, pgas_mpi_reductions,
    pgas_mpi_neighbours,  pgas_mpi_messages,
    pgas_mpi_windows,     pgas_mpi_atomics,
    pgas_mpi_creation,    NULL,
};

static int time_all(int argc, char **argv) {
  struct messages *messages = malloc(sizeof *messages);
  if (!messages) {
    fprintf(stderr, "there is no memory for messages\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
    return 1;
  }
  pgas_transport transport;
  pgas_transport_begin(messages, &transport);
  int status = pgas_time(&transport, families, pgas_own_operation(), argc, argv);
  pgas_transport_finish(messages);
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
