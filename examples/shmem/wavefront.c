/* A recurrence over a matrix, each element from the ones above and to the left, divided by rows: a
 * pipeline. Each PE waits for a piece of the row above it, does its rows of these columns, and puts
 * its last row and a flag into the memory of the next PE.
 *
 *   wavefront [ROWS [COLUMNS [BLOCK [SWEEPS]]]]
 *
 * Columns in larger blocks mean fewer flags, and a longer time until the last PE has work. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <shmem.h>

struct matrix {
  int rows, columns;
  uint32_t *elements;
};

static uint32_t step(uint32_t above, uint32_t left, uint32_t old) {
  uint32_t mixed = above * 5u + left * 3u + old;
  return mixed ^ mixed >> 7;
}

/* One sweep over some columns; `above` is the row above the first one. */
static void sweep(struct matrix *matrix, const uint32_t *above, int begin, int end) {
  for (int row = 0; row < matrix->rows; row++) {
    uint32_t *elements = matrix->elements + (size_t)row * matrix->columns;
    for (int column = begin; column < end; column++)
      elements[column] =
          step(above[column], column > 0 ? elements[column - 1] : 1u, elements[column]);
    above = elements;
  }
}

static struct matrix new_matrix(int first, int rows, int columns) {
  struct matrix matrix = {rows, columns, malloc((size_t)rows * columns * sizeof(uint32_t))};
  for (int row = 0; row < rows; row++)
    for (int column = 0; column < columns; column++)
      matrix.elements[(size_t)row * columns + column] = (uint32_t)(first + row) * 31u + column;
  return matrix;
}

static int last_row_is(const struct matrix *matrix, const struct matrix *whole, int last) {
  const uint32_t *mine = matrix->elements + (size_t)(matrix->rows - 1) * matrix->columns;
  const uint32_t *expected = whole->elements + (size_t)last * whole->columns;
  for (int column = 0; column < matrix->columns; column++)
    if (mine[column] != expected[column]) return 0;
  return 1;
}

/* Of the own rows, whose sum over PEs is the same for any number of them. */
static long checksum(const struct matrix *matrix, int first) {
  uint64_t sum = 0, begin = (uint64_t)first * matrix->columns;
  for (uint64_t i = 0; i < (uint64_t)matrix->rows * matrix->columns; i++)
    sum += matrix->elements[i] * (2 * (begin + i) + 1);
  return (long)sum;
}

int main(int argc, char **argv) {
  int all_rows = argc > 1 ? atoi(argv[1]) : 400, columns = argc > 2 ? atoi(argv[2]) : 2000;
  int block = argc > 3 ? atoi(argv[3]) : 100, sweeps = argc > 4 ? atoi(argv[4]) : 5;
  shmem_init();
  int me = shmem_my_pe(), pes = shmem_n_pes();
  if (all_rows < pes) all_rows = pes;
  int first = (int)((long)all_rows * me / pes);
  int rows = (int)((long)all_rows * (me + 1) / pes) - first;
  struct matrix matrix = new_matrix(first, rows, columns);
  uint32_t *above = shmem_calloc(columns, sizeof *above);
  long *flag = shmem_calloc(1, sizeof *flag), *wrong = shmem_calloc(1, sizeof *wrong);
  long *checksum_of_all = shmem_calloc(1, sizeof *checksum_of_all);

  long blocks = 0;
  for (int done = 0; done < sweeps; done++) {
    for (int begin = 0; begin < columns; begin += block) {
      int end = begin + block < columns ? begin + block : columns;
      blocks++;
      if (me > 0) shmem_long_wait_until(flag, SHMEM_CMP_GE, blocks);
      sweep(&matrix, above, begin, end);
      if (me == pes - 1) continue;
      const uint32_t *last = matrix.elements + (size_t)(rows - 1) * columns;
      shmem_put32(above + begin, last + begin, end - begin, me + 1);
      shmem_fence();
      shmem_long_p(flag, blocks, me + 1);
    }
    /* The row above is still in use. */
    shmem_barrier_all();
  }

  struct matrix whole = new_matrix(0, all_rows, columns);
  uint32_t *zeros = calloc(columns, sizeof *zeros);
  for (int done = 0; done < sweeps; done++) sweep(&whole, zeros, 0, columns);
  if (!last_row_is(&matrix, &whole, first + rows - 1)) shmem_long_atomic_inc(wrong, 0);
  shmem_long_atomic_add(checksum_of_all, checksum(&matrix, first), 0);
  shmem_barrier_all();
  long count = shmem_long_g(wrong, 0);
  if (me == 0 && count == 0) printf("verified, checksum %016lx\n", *checksum_of_all);
  if (me == 0 && count != 0) printf("%ld PEs have wrong rows\n", count);
  free(zeros);
  free(whole.elements);
  free(matrix.elements);
  shmem_free(checksum_of_all);
  shmem_free(wrong);
  shmem_free(flag);
  shmem_free(above);
  shmem_finalize();
  return count != 0;
}
