/* Calls of every kind by four processes, each with a result that is checked. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROCESSES = 4 };

static int me, next, before;

static void demand(int is_right, const char *what) {
  if (is_right) return;
  fprintf(stderr, "process %d: wrong %s\n", me, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void messages(void) {
  double out[3] = {me, me + 0.5, 2.0 * me}, in[8];
  MPI_Status status;
  MPI_Request requests[2];
  if (me == 0) {
    MPI_Send(out, 3, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD);
    MPI_Ssend(out, 2, MPI_DOUBLE, 1, 8, MPI_COMM_WORLD);
    MPI_Send(out, 3, MPI_DOUBLE, MPI_PROC_NULL, 7, MPI_COMM_WORLD);
  }
  if (me == 1) {
    MPI_Recv(in, 8, MPI_DOUBLE, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    demand(in[1] == 0.5, "reception from any");
    MPI_Recv(in, 8, MPI_DOUBLE, 0, 8, MPI_COMM_WORLD, &status);
    demand(status.MPI_SOURCE == 0 && status.MPI_TAG == 8, "status");
  }
  MPI_Irecv(in, 8, MPI_DOUBLE, before, 9, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(out, 3, MPI_DOUBLE, next, 9, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  demand(in[0] == before, "reception of the one before");
  MPI_Sendrecv(out, 2, MPI_DOUBLE, next, 1, in, 4, MPI_DOUBLE, before, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  demand(in[1] == before + 0.5, "exchange");
}

static void collectives(MPI_Comm comm, int size, int rank) {
  int one = rank == 1 ? 41 : 0, sum, all[PROCESSES], many[PROCESSES], got[PROCESSES];
  int counts[PROCESSES], places[PROCESSES];
  for (int i = 0; i < size; i++) {
    many[i] = 10 * rank + i;
    counts[i] = 1;
    places[i] = i;
  }
  MPI_Barrier(comm);
  MPI_Bcast(&one, 1, MPI_INT, 1, comm);
  demand(one == 41, "broadcast");
  MPI_Scatter(many, 1, MPI_INT, &one, 1, MPI_INT, 0, comm);
  demand(one == rank, "scatter");
  MPI_Scatterv(many, counts, places, MPI_INT, &one, 1, MPI_INT, 1, comm);
  demand(one == 10 + rank, "scatter of parts");
  MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, 1, comm);
  demand(rank != 1 || all[size - 1] == size - 1, "gather");
  MPI_Gatherv(&rank, 1, MPI_INT, all, counts, places, MPI_INT, 0, comm);
  demand(rank != 0 || all[1] == 1, "gather of parts");
  MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 0, comm);
  demand(rank != 0 || sum == size * (size - 1) / 2, "reduction");
  MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, comm);
  demand(all[size - 1] == size - 1, "gather of all");
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, counts, places, MPI_INT, comm);
  demand(all[size - 1] == size - 1, "gather of all in place");
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
  demand(sum == size * (size - 1) / 2, "reduction of all");
  MPI_Alltoall(many, 1, MPI_INT, got, 1, MPI_INT, comm);
  demand(got[size - 1] == 10 * (size - 1) + rank, "exchange of all");
  MPI_Alltoallv(many, counts, places, MPI_INT, got, counts, places, MPI_INT, comm);
  demand(got[0] == rank, "exchange of parts");
  MPI_Scan(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
  demand(sum == rank * (rank + 1) / 2, "prefix");
}

static void groups(void) {
  MPI_Comm halves, reversed;
  MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &halves);
  collectives(halves, 2, me / 2);
  MPI_Comm_split(MPI_COMM_WORLD, 0, PROCESSES - me, &reversed);
  collectives(reversed, PROCESSES, PROCESSES - 1 - me);
  if (me == 0) MPI_Send(&me, 1, MPI_INT, 1, 3, halves);
  if (me == 2) MPI_Recv(&next, 1, MPI_INT, 0, 3, halves, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_SELF);
  MPI_Comm_free(&halves);
  MPI_Comm_free(&reversed);
}

static void others(void) {
  MPI_Request request;
  int sum = 0;
  MPI_Iallreduce(&me, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  demand(sum == 6, "reduction that does not block");
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  int out[2] = {me, -me}, in[2];
  MPI_Sendrecv(out, 1, pair, next, 2, in, 1, pair, before, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  demand(in[1] == -before, "pair");
  MPI_Type_free(&pair);
}

int main(int count, char **arguments) {
  int processes;
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  if (processes != PROCESSES) MPI_Abort(MPI_COMM_WORLD, 2);
  next = (me + 1) % PROCESSES;
  before = (me + PROCESSES - 1) % PROCESSES;
  messages();
  collectives(MPI_COMM_WORLD, PROCESSES, me);
  groups();
  next = (me + 1) % PROCESSES;
  others();
  if (me == 0) printf("all right\n");
  MPI_Finalize();
  return 0;
}
