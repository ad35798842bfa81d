/* Transposition of a square matrix, divided by rows: every PE has a block for every other one. Once
 * with a collective operation, once with non-blocking puts.
 *
 *   transpose [ROWS_OF_A_PE [TIMES]] */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shmem.h>

static int me, pes, rows; /* of a PE */

static double value(long row, long column) { return (double)(row * rows * pes + column); }

/* The part of the own rows that goes to a PE, transposed. */
static void pack(double *block, const double *matrix, int pe) {
  for (int row = 0; row < rows; row++)
    for (int column = 0; column < rows; column++)
      block[column * rows + row] = matrix[(size_t)row * rows * pes + pe * rows + column];
}

static void unpack(double *matrix, const double *blocks) {
  for (int pe = 0; pe < pes; pe++)
    for (int row = 0; row < rows; row++)
      for (int column = 0; column < rows; column++)
        matrix[(size_t)row * rows * pes + pe * rows + column] =
            blocks[((size_t)pe * rows + row) * rows + column];
}

static void transpose_together(double *matrix, double *received, double *sent, long *sync) {
  size_t block = (size_t)rows * rows;
  for (int pe = 0; pe < pes; pe++) pack(sent + pe * block, matrix, pe);
  shmem_barrier_all();
  shmem_alltoall64(received, sent, block, 0, 0, pes, sync);
  unpack(matrix, received);
  shmem_barrier_all();
}

static void transpose_by_puts(double *matrix, double *received, double *sent) {
  size_t block = (size_t)rows * rows;
  for (int i = 1; i <= pes; i++) {
    int pe = (me + i) % pes;
    pack(sent + pe * block, matrix, pe);
    shmem_double_put_nbi(received + me * block, sent + pe * block, block, pe);
  }
  shmem_quiet();
  shmem_barrier_all();
  unpack(matrix, received);
  shmem_barrier_all();
}

static int count_wrong(const double *matrix, int is_transposed) {
  int wrong = 0;
  for (int row = 0; row < rows; row++)
    for (int column = 0; column < rows * pes; column++) {
      double expected =
          is_transposed ? value(column, me * rows + row) : value(me * rows + row, column);
      wrong += matrix[(size_t)row * rows * pes + column] != expected;
    }
  return wrong;
}

/* Of every bit of the own rows in their order. */
static long checksum(const double *matrix) {
  uint64_t sum = 0, bits;
  for (uint64_t i = 0; i < (uint64_t)rows * rows * pes; i++) {
    memcpy(&bits, &matrix[i], sizeof bits);
    sum += bits * (2 * ((uint64_t)me * rows * rows * pes + i) + 1);
  }
  return (long)sum;
}

int main(int argc, char **argv) {
  static long sync[SHMEM_ALLTOALL_SYNC_SIZE], reduce_sync[SHMEM_REDUCE_SYNC_SIZE];
  static long checksum_of_all;
  static int wrong, sum, work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
  for (int i = 0; i < SHMEM_ALLTOALL_SYNC_SIZE; i++) sync[i] = SHMEM_SYNC_VALUE;
  for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++) reduce_sync[i] = SHMEM_SYNC_VALUE;
  rows = argc > 1 ? atoi(argv[1]) : 100;
  int times = argc > 2 ? atoi(argv[2]) : 10;
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  size_t elements = (size_t)rows * rows * pes;
  double *received = shmem_malloc(elements * sizeof(double));
  double *sent = shmem_malloc(elements * sizeof(double));
  double *matrix = malloc(elements * sizeof(double));
  for (int row = 0; row < rows; row++)
    for (int column = 0; column < rows * pes; column++)
      matrix[(size_t)row * rows * pes + column] = value(me * rows + row, column);

  for (int time = 0; time < times; time++) {
    transpose_together(matrix, received, sent, sync);
    wrong += count_wrong(matrix, 1);
    transpose_by_puts(matrix, received, sent);
    wrong += count_wrong(matrix, 0);
  }

  shmem_long_atomic_add(&checksum_of_all, checksum(matrix), 0);
  shmem_barrier_all();
  shmem_int_sum_to_all(&sum, &wrong, 1, 0, 0, pes, work, reduce_sync);
  if (me == 0 && sum == 0) printf("verified, checksum %016lx\n", checksum_of_all);
  if (me == 0 && sum != 0) printf("%d elements are wrong\n", sum);
  free(matrix);
  shmem_free(sent);
  shmem_free(received);
  shmem_finalize();
  return sum != 0;
}
