/* One-sided operations of four processes, with each of the ways to synchronise. */
#include <mpi.h>
#include <stdio.h>

enum { PROCESSES = 4 };

static int me, next, before;

static void demand(int is_right, const char *what) {
  if (is_right) return;
  fprintf(stderr, "process %d: wrong %s\n", me, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Each process puts into the next one's memory. */
static void fences(long *box, MPI_Win window) {
  long value = 100 + me, got = 0;
  MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
  MPI_Put(&value, 1, MPI_LONG, next, 0, 1, MPI_LONG, window);
  MPI_Win_fence(0, window);
  demand(box[0] == 100 + before, "put");
  MPI_Get(&got, 1, MPI_LONG, next, 0, 1, MPI_LONG, window);
  MPI_Accumulate(&value, 1, MPI_LONG, next, 1, 1, MPI_LONG, MPI_SUM, window);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
  demand(got == 100 + me, "get");
  demand(box[1] == 100 + before, "accumulation");
}

/* Twice: the process before is the origin, the next one the target. */
static void partners(long *box, MPI_Win window) {
  MPI_Group all, origins, targets;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &before, &origins);
  MPI_Group_incl(all, 1, &next, &targets);
  for (int round = 0; round < 2; round++) {
    long value = 1000 * round + me;
    MPI_Win_post(origins, 0, window);
    MPI_Win_start(targets, 0, window);
    MPI_Put(&value, 1, MPI_LONG, next, 2, 1, MPI_LONG, window);
    MPI_Win_complete(window);
    MPI_Win_wait(window);
    demand(box[2] == 1000 * round + before, "put between partners");
  }
  MPI_Group_free(&origins);
  MPI_Group_free(&targets);
  MPI_Group_free(&all);
}

static void locks(long *box, MPI_Win window) {
  long one = 1, got = 0;
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
  MPI_Fetch_and_op(&one, &got, MPI_LONG, 0, 3, MPI_SUM, window);
  MPI_Win_flush(0, window);
  MPI_Win_unlock(0, window);
  MPI_Win_lock(MPI_LOCK_SHARED, next, 0, window);
  MPI_Get(&got, 1, MPI_LONG, next, 0, 1, MPI_LONG, window);
  MPI_Win_unlock(next, window);
  demand(got == 100 + me, "get under a lock");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, me, 0, window);
  MPI_Win_sync(window);
  demand(me != 0 || box[3] == PROCESSES, "count");
  MPI_Win_unlock(me, window);
}

int main(int count, char **arguments) {
  long *box;
  MPI_Win window;
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  next = (me + 1) % PROCESSES;
  before = (me + PROCESSES - 1) % PROCESSES;
  MPI_Win_allocate(4 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &box, &window);
  for (int i = 0; i < 4; i++) box[i] = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  fences(box, window);
  partners(box, window);
  locks(box, window);
  MPI_Win_free(&window);
  if (me == 0) printf("all right\n");
  MPI_Finalize();
  return 0;
}
