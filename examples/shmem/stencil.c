/* Jacobi iteration on a square grid, divided by rows. Neighbours put their border rows into each
 * other's memory and raise a flag; nobody waits for anybody else.
 *
 *   stencil [SIZE [STEPS [EXTRA]]]
 *
 * PE 0 does each of its rows 1 + EXTRA times: a load imbalance, 0 without it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shmem.h>

enum { ABOVE, BELOW };

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

static double *new_grid(int first, int rows, int size) {
  double *grid = malloc((size_t)rows * size * sizeof *grid);
  for (int row = 0; row < rows; row++)
    for (int column = 0; column < size; column++)
      grid[(size_t)row * size + column] = initial(first + row, column, size);
  return grid;
}

/* The same by one PE alone. */
static double *serial(int size, int steps) {
  double *grid = new_grid(0, size, size), *next = new_grid(0, size, size);
  for (int step = 0; step < steps; step++) {
    for (int row = 1; row + 1 < size; row++) {
      const double *middle = grid + (size_t)row * size;
      relax(next + (size_t)row * size, middle - size, middle, middle + size, size);
    }
    double *swap = grid;
    grid = next;
    next = swap;
  }
  free(next);
  return grid;
}

/* Border rows of the neighbours, those of even and of odd steps apart: a neighbour may be one step
 * ahead. The flags hold the last step whose rows are there. */
static double *halo[2][2];
static long *flags;

static void send_row(const double *row, int side, int step, int size, int pe) {
  shmem_double_put(halo[step % 2][side], row, size, pe);
  shmem_fence();
  shmem_long_p(&flags[side], step + 1, pe);
}

static const double *receive_row(int side, int step) {
  shmem_long_wait_until(&flags[side], SHMEM_CMP_GE, step + 1);
  return halo[step % 2][side];
}

static void iterate(double **grid, double **next, int first, int rows, int size, int step,
                    int extra) {
  int me = shmem_my_pe(), pes = shmem_n_pes();
  const double *top = *grid, *bottom = *grid + (size_t)(rows - 1) * size;
  if (me > 0) send_row(top, BELOW, step, size, me - 1);
  if (me < pes - 1) send_row(bottom, ABOVE, step, size, me + 1);
  const double *above = me > 0 ? receive_row(ABOVE, step) : NULL;
  const double *below = me < pes - 1 ? receive_row(BELOW, step) : NULL;
  for (int row = 0; row < rows; row++) {
    const double *middle = *grid + (size_t)row * size;
    double *target = *next + (size_t)row * size;
    if (first + row == 0 || first + row == size - 1) {
      memcpy(target, middle, size * sizeof *target);
      continue;
    }
    for (int again = 0; again <= (me == 0 ? extra : 0); again++)
      relax(target, row > 0 ? middle - size : above, middle, row < rows - 1 ? middle + size : below,
            size);
  }
  double *swap = *grid;
  *grid = *next;
  *next = swap;
}

/* Of every bit of the own rows, whose sum over PEs is the same for any number of them. */
static long checksum(const double *grid, int first, int rows, int size) {
  uint64_t sum = 0, bits;
  for (size_t i = 0; i < (size_t)rows * size; i++) {
    memcpy(&bits, &grid[i], sizeof bits);
    sum += bits * (2 * ((uint64_t)first * size + i) + 1);
  }
  return (long)sum;
}

int main(int argc, char **argv) {
  int size = argc > 1 ? atoi(argv[1]) : 256, steps = argc > 2 ? atoi(argv[2]) : 100;
  int extra = argc > 3 ? atoi(argv[3]) : 0;
  static int errors, sum, work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
  static long sync[SHMEM_REDUCE_SYNC_SIZE], checksum_of_all;
  for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++) sync[i] = SHMEM_SYNC_VALUE;
  shmem_init();
  int me = shmem_my_pe(), pes = shmem_n_pes();
  if (size < 2 * pes) size = 2 * pes;
  int first = (int)((long)size * me / pes), rows = (int)((long)size * (me + 1) / pes) - first;
  for (int parity = 0; parity < 2; parity++)
    for (int side = 0; side < 2; side++) halo[parity][side] = shmem_malloc(size * sizeof(double));
  flags = shmem_calloc(2, sizeof *flags);
  double *grid = new_grid(first, rows, size), *next = new_grid(first, rows, size);

  shmem_barrier_all();
  for (int step = 0; step < steps; step++) iterate(&grid, &next, first, rows, size, step, extra);
  shmem_barrier_all();

  double *expected = serial(size, steps);
  errors = memcmp(grid, expected + (size_t)first * size, (size_t)rows * size * sizeof *grid) != 0;
  shmem_long_atomic_add(&checksum_of_all, checksum(grid, first, rows, size), 0);
  shmem_barrier_all();
  shmem_int_sum_to_all(&sum, &errors, 1, 0, 0, pes, work, sync);
  if (me == 0 && sum == 0) printf("verified, checksum %016lx\n", checksum_of_all);
  if (me == 0 && sum != 0) printf("%d PEs have wrong rows\n", sum);
  free(expected);
  free(grid);
  free(next);
  shmem_free(flags);
  for (int parity = 0; parity < 2; parity++)
    for (int side = 0; side < 2; side++) shmem_free(halo[parity][side]);
  shmem_finalize();
  return sum != 0;
}
