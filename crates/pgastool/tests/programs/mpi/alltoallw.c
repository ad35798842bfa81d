/* Each process sends its number, as often as the receiver's number says and once more, to each. */
#include <mpi.h>
#include <stdio.h>

enum { MOST = 4 };

int main(int argc, char **argv) {
  int me, all, counts[MOST], sent_at[MOST], received[MOST], received_at[MOST];
  int out[MOST][MOST], in[MOST][MOST];
  MPI_Datatype types[MOST];

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  for (int i = 0; i < all; i++) {
    for (int j = 0; j < MOST; j++) out[i][j] = me;
    counts[i] = i + 1;
    received[i] = me + 1;
    sent_at[i] = received_at[i] = i * (int)sizeof out[0];
    types[i] = MPI_INT;
  }
  MPI_Alltoallw(out, counts, sent_at, types, in, received, received_at, types, MPI_COMM_WORLD);
  int wrong = 0;
  for (int i = 0; i < all; i++) wrong += in[i][me] != i;
  if (me == 0) printf("%s\n", wrong ? "wrong" : "all right");
  MPI_Finalize();
  return wrong;
}
