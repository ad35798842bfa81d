/* Jacobi iteration on a square grid, divided by rows. Neighbours send each other their border rows
 * in messages; nobody waits for anybody else.
 *
 *   stencil [SIZE [STEPS [EXTRA]]]
 *
 * Process 0 does each of its rows 1 + EXTRA times: a load imbalance, 0 without it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

/* Tags: the row goes to the process above, or below. */
enum { UP, DOWN };

static int me, processes;

/* A row takes the values of the next step from three rows of this one. */
static void relax(double *next, const double *above, const double *row, const double *below,
                  int size) {
  for (int i = 1; i + 1 < size; i++)
    next[i] = 0.25 * (above[i] + below[i] + row[i - 1] + row[i + 1]);
  next[0] = row[0];
  next[size - 1] = row[size - 1];
}

static double initial(int row, int column, int size) {
  return row == 0 ? 1.0 : row == size - 1 ? 2.0 : column == 0 ? 3.0 : 0.0;
}

/* Rows from `first` on, between a row above and a row below. */
static double *new_grid(int first, int rows, int size) {
  double *grid = malloc((size_t)(rows + 2) * size * sizeof *grid);
  for (int row = -1; row <= rows; row++)
    for (int column = 0; column < size; column++)
      grid[(size_t)(row + 1) * size + column] = initial(first + row, column, size);
  return grid;
}

static double *row_of(double *grid, int row, int size) { return grid + (size_t)(row + 1) * size; }

static void swap(double **a, double **b) {
  double *first = *a;
  *a = *b;
  *b = first;
}

/* The borders of the whole grid stay as they are. */
static void step(double *grid, double *next, int first, int rows, int size, int times) {
  for (int row = 0; row < rows; row++) {
    double *middle = row_of(grid, row, size);
    if (first + row == 0 || first + row == size - 1) continue;
    for (int again = 0; again < times; again++)
      relax(row_of(next, row, size), middle - size, middle, middle + size, size);
  }
}

static void exchange(double *grid, int rows, int size) {
  int above = me > 0 ? me - 1 : MPI_PROC_NULL;
  int below = me < processes - 1 ? me + 1 : MPI_PROC_NULL;
  MPI_Request requests[4];
  MPI_Irecv(row_of(grid, -1, size), size, MPI_DOUBLE, above, DOWN, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(row_of(grid, rows, size), size, MPI_DOUBLE, below, UP, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(row_of(grid, 0, size), size, MPI_DOUBLE, above, UP, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(row_of(grid, rows - 1, size), size, MPI_DOUBLE, below, DOWN, MPI_COMM_WORLD,
            &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

/* The same by one process alone. */
static double *serial(int size, int steps) {
  double *grid = new_grid(0, size, size), *next = new_grid(0, size, size);
  for (int i = 0; i < steps; i++) {
    step(grid, next, 0, size, size, 1);
    swap(&grid, &next);
  }
  free(next);
  return grid;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  int size = argc > 1 ? atoi(argv[1]) : 256, steps = argc > 2 ? atoi(argv[2]) : 100;
  int extra = argc > 3 ? atoi(argv[3]) : 0;
  if (size < 2 * processes) size = 2 * processes;
  int first = (int)((long)size * me / processes);
  int rows = (int)((long)size * (me + 1) / processes) - first;
  double *grid = new_grid(first, rows, size), *next = new_grid(first, rows, size);

  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < steps; i++) {
    exchange(grid, rows, size);
    step(grid, next, first, rows, size, me == 0 ? 1 + extra : 1);
    swap(&grid, &next);
  }

  double *expected = serial(size, steps);
  int is_wrong = memcmp(row_of(grid, 0, size), row_of(expected, first, size),
                        (size_t)rows * size * sizeof *grid) != 0;
  int wrong = 0;
  MPI_Allreduce(&is_wrong, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (me == 0) {
    if (wrong == 0) printf("verified\n");
    else printf("%d processes have wrong rows\n", wrong);
  }
  free(expected);
  free(grid);
  free(next);
  MPI_Finalize();
  return wrong != 0;
}
