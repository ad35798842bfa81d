/* Groups of processes of MPI, and which threads they are. */
#ifndef PGAS_MPI_GROUPS_H
#define PGAS_MPI_GROUPS_H

#include <stdint.h>

#include <mpi.h>

/* The processes of a communicator or of a window. Of an intercommunicator, ranks are those of the
 * other side, with which messages are exchanged. */
struct pgas_mpi_group {
  uint64_t id; /* the same in all members, and that of no other set of processes */
  int ranks, rank;
  /* All members are threads of the experiment, and belong to one group (no intercommunicator). */
  int is_known;
  int is_all;      /* its members are all threads */
  int is_in_order; /* whose numbers are the ranks */
  int *threads;    /* by rank; -1: none */
};

/* Whether MPI works and it is known which process is which thread. */
extern int pgas_mpi_is_ready(void);

/* Null for MPI_COMM_NULL, and if there is no memory. Stays until the communicator is freed. */
extern const struct pgas_mpi_group *pgas_mpi_group_of(MPI_Comm);

/* Of the members of a group; its threads are to be freed. Returns 0 if that is not possible. */
extern int pgas_mpi_describe(struct pgas_mpi_group *, MPI_Group, int is_inter);

/* The thread of a rank, -1: none. */
static inline int pgas_mpi_thread_of(const struct pgas_mpi_group *group, int rank) {
  return group && rank >= 0 && rank < group->ranks ? group->threads[rank] : -1;
}

#endif
