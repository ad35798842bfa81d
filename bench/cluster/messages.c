/*
 * Messages between two processes, by MPI_Send and MPI_Recv: the references of far.upc. The second
 * process answers.
 */
#include <mpi.h>

#include "figures.h"

#define ROUND_TRIPS 5
#define BYTES (4 << 20)

static char *large;
static long small;

static void send_bytes(void *from, int bytes, int to) {
  MPI_Send(from, bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD);
}

static void receive_bytes(void *into, int bytes, int from) {
  MPI_Recv(into, bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void ping(void) {
  for (int i = 0; i < ROUND_TRIPS; i++) {
    send_bytes(&small, sizeof small, 1);
    receive_bytes(&small, sizeof small, 1);
  }
}

static void pong(void) {
  for (int i = 0; i < ROUND_TRIPS; i++) {
    receive_bytes(&small, sizeof small, 0);
    send_bytes(&small, sizeof small, 0);
  }
}

static void put(void) {
  send_bytes(large, BYTES, 1);
  receive_bytes(&small, sizeof small, 1);
}

static void take(void) {
  receive_bytes(large, BYTES, 0);
  send_bytes(&small, sizeof small, 0);
}

static void get(void) {
  send_bytes(&small, sizeof small, 1);
  receive_bytes(large, BYTES, 1);
}

static void give(void) {
  receive_bytes(&small, sizeof small, 0);
  send_bytes(large, BYTES, 0);
}

int main(int count, char **arguments) {
  int rank;
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  large = malloc(BYTES);
  if (large == NULL) return 2;
  memset(large, 1, BYTES);
  struct time trip = time_of(rank == 0 ? ping : pong, ROUND_TRIPS, REPETITIONS);
  struct time putting = time_of(rank == 0 ? put : take, 1, REPETITIONS);
  struct time getting = time_of(rank == 0 ? get : give, 1, REPETITIONS);
  if (rank == 0) {
    print_figure("round trip", trip.median);
    print_figure("put", BYTES / putting.median);
    print_figure("get", BYTES / getting.median);
  }
  MPI_Finalize();
  return 0;
}
