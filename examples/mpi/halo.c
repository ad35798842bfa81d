/* Heat in a ring of cells: each process has a piece, and puts its border cells into the halos of its
 * two neighbours. Neighbours synchronise with each other alone (post, start, complete, wait), or, with
 * a third argument, all by fences.
 *
 *   halo [CELLS [STEPS [fence]]] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

static int me, processes;

static double initial(int cell) { return cell % 97 + 0.5 * (cell % 13); }

static double relaxed(double left, double middle, double right) {
  return 0.25 * left + 0.5 * middle + 0.25 * right;
}

/* The cells of a process between two halo cells, for even and for odd steps, since a neighbour may
 * be a step ahead. */
static double *half(double *cells, int count, int step) { return cells + step % 2 * (count + 2); }

static void put_borders(double *cells, int count, int step, MPI_Win window) {
  int left = (me + processes - 1) % processes, right = (me + 1) % processes;
  MPI_Aint base = step % 2 * (count + 2);
  double *now = half(cells, count, step);
  MPI_Put(&now[1], 1, MPI_DOUBLE, left, base + count + 1, 1, MPI_DOUBLE, window);
  MPI_Put(&now[count], 1, MPI_DOUBLE, right, base, 1, MPI_DOUBLE, window);
}

static void exchange_with_neighbours(double *cells, int count, int step, MPI_Group neighbours,
                                     MPI_Win window) {
  MPI_Win_post(neighbours, 0, window);
  MPI_Win_start(neighbours, 0, window);
  put_borders(cells, count, step, window);
  MPI_Win_complete(window);
  MPI_Win_wait(window);
}

static void exchange_by_fences(double *cells, int count, int step, MPI_Win window) {
  MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
  put_borders(cells, count, step, window);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
}

static void advance(const double *now, double *next, int count) {
  for (int i = 1; i <= count; i++) next[i] = relaxed(now[i - 1], now[i], now[i + 1]);
}

/* The same by one process alone. */
static double *serial(int cells, int steps) {
  double *now = malloc((size_t)(cells + 2) * sizeof *now);
  double *next = malloc((size_t)(cells + 2) * sizeof *next);
  for (int i = 0; i < cells; i++) now[i + 1] = initial(i);
  for (int step = 0; step < steps; step++) {
    now[0] = now[cells];
    now[cells + 1] = now[1];
    advance(now, next, cells);
    double *swap = now;
    now = next;
    next = swap;
  }
  free(next);
  return now;
}

static MPI_Group neighbours_of(int rank) {
  MPI_Group all, neighbours;
  int ranks[2] = {(rank + 1) % processes, (rank + processes - 1) % processes};
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, ranks[0] == ranks[1] ? 1 : 2, ranks, &neighbours);
  MPI_Group_free(&all);
  return neighbours;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  int count = argc > 1 ? atoi(argv[1]) : 20000, steps = argc > 2 ? atoi(argv[2]) : 100;
  int has_fences = argc > 3;
  double *cells;
  MPI_Win window;
  MPI_Win_allocate(2 * (MPI_Aint)(count + 2) * (MPI_Aint)sizeof(double), sizeof(double),
                   MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &window);
  for (int i = 0; i < count; i++) cells[i + 1] = initial(me * count + i);
  MPI_Group neighbours = neighbours_of(me);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int step = 0; step < steps; step++) {
    if (has_fences) exchange_by_fences(cells, count, step, window);
    else exchange_with_neighbours(cells, count, step, neighbours, window);
    advance(half(cells, count, step), half(cells, count, step + 1), count);
  }
  double *expected = serial(count * processes, steps), *own = half(cells, count, steps);
  int is_wrong = 0, wrong = 0;
  for (int i = 1; i <= count; i++)
    is_wrong |= fabs(own[i] - expected[me * count + i]) > 1e-12 * fabs(expected[me * count + i]);
  MPI_Reduce(&is_wrong, &wrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (me == 0) {
    if (wrong == 0) printf("verified\n");
    else printf("%d processes have wrong cells\n", wrong);
  }
  free(expected);
  MPI_Group_free(&neighbours);
  MPI_Win_free(&window);
  MPI_Finalize();
  return wrong != 0;
}
