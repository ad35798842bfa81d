/*
 * A program that starts MPI as the runtime does, and does nothing: the reference of quiet.upc
 * asleep, and of empty.upc. Its processes have exchanged messages with those of other nodes.
 */
#include <mpi.h>

#include "figures.h"

int main(int count, char **arguments) {
  int rank, size, level;
  MPI_Comm node;
  MPI_Group node_group, world_group;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_group(MPI_COMM_WORLD, &world_group);
  MPI_Comm_group(node, &node_group);
  for (int other = 0; other < size; other++) {
    int near, sent = 0, received;
    MPI_Group_translate_ranks(world_group, 1, &other, node_group, &near);
    if (near == MPI_UNDEFINED)
      MPI_Sendrecv(&sent, 1, MPI_INT, other, 0, &received, 1, MPI_INT, other, 0, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  struct memory memory = memory_now();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0 && size == 2) print_idle_cost();
  double own[] = {memory.all, memory.not_files}, sum[2];
  MPI_Reduce(own, sum, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    print_figure("memory", sum[0] / size);
    print_figure("memory, not of files", sum[1] / size);
  }
  MPI_Finalize();
  return 0;
}
