/* Bucket sort of random integers. Each PE has a range of keys: the others reserve room in its
 * bucket with an atomic operation and put their keys there; then each sorts what it got.
 *
 *   integer_sort [KEYS_OF_A_PE [TIMES]] */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <shmem.h>

enum { MAX_KEY = 1 << 20 };

static int me, pes;
static long sync[SHMEM_REDUCE_SYNC_SIZE], sync_of_max[SHMEM_REDUCE_SYNC_SIZE];
static long work[SHMEM_REDUCE_MIN_WRKDATA_SIZE + 1];
static long sums[2], totals[2], largest, largest_of_all;

static int owner(int key) { return (int)((long)key * pes / MAX_KEY); }

static int by_key(const void *left, const void *right) {
  int a = *(const int *)left, b = *(const int *)right;
  return (a > b) - (a < b);
}

static uint64_t random_state;

static int random_key(void) {
  random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (int)(random_state >> 33) % MAX_KEY;
}

/* Keys by the PE that they go to; `begins` has where each part begins, and then as many numbers to
 * count with. */
static void group(int *grouped, const int *keys, long count, long *begins) {
  for (int pe = 0; pe <= pes; pe++) begins[pe] = 0;
  for (long i = 0; i < count; i++) begins[owner(keys[i]) + 1]++;
  for (int pe = 0; pe < pes; pe++) begins[pe + 1] += begins[pe];
  long *next = begins + pes + 1;
  for (int pe = 0; pe < pes; pe++) next[pe] = begins[pe];
  for (long i = 0; i < count; i++) grouped[next[owner(keys[i])]++] = keys[i];
}

/* Sorts once; returns whether this PE's part is right. */
static int sort(const int *keys, int *grouped, long *begins, long count, int *bucket, long room,
                long *fill, int *last_of_left) {
  *fill = 0;
  *last_of_left = -1;
  shmem_barrier_all();
  group(grouped, keys, count, begins);
  for (int i = 0; i < pes; i++) {
    int pe = (me + i) % pes;
    long size = begins[pe + 1] - begins[pe];
    long place = shmem_long_atomic_fetch_add(fill, size, pe);
    if (place + size <= room) shmem_int_put(bucket + place, grouped + begins[pe], size, pe);
  }
  shmem_barrier_all();
  if (*fill > room) return 0;
  qsort(bucket, *fill, sizeof *bucket, by_key);

  if (me + 1 < pes && *fill > 0) shmem_int_p(last_of_left, bucket[*fill - 1], me + 1);
  sums[0] = sums[1] = largest = 0;
  for (long i = 0; i < count; i++) sums[0] += keys[i];
  for (long i = 0; i < *fill; i++) sums[1] += bucket[i];
  for (long i = 0; i < count; i++)
    if (keys[i] > largest) largest = keys[i];
  shmem_barrier_all();
  shmem_long_sum_to_all(totals, sums, 2, 0, 0, pes, work, sync);
  shmem_long_max_to_all(&largest_of_all, &largest, 1, 0, 0, pes, work, sync_of_max);
  int is_right = totals[0] == totals[1];
  for (long i = 1; i < *fill; i++) is_right &= bucket[i - 1] <= bucket[i];
  if (*fill > 0) is_right &= *last_of_left <= bucket[0] && bucket[*fill - 1] <= largest_of_all;
  return is_right;
}

/* Of the keys of this PE in their order. */
static long checksum(const int *bucket, long count) {
  uint64_t sum = 0;
  for (long i = 0; i < count; i++) sum += (uint64_t)bucket[i] * (2 * (uint64_t)i + 1);
  return (long)(sum * (2 * (uint64_t)me + 1));
}

int main(int argc, char **argv) {
  long count = argc > 1 ? atol(argv[1]) : 20000;
  int times = argc > 2 ? atoi(argv[2]) : 5, is_right = 1;
  for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++) sync[i] = sync_of_max[i] = SHMEM_SYNC_VALUE;
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  long room = 2 * count + 1000;
  int *keys = malloc(count * sizeof *keys), *grouped = malloc(count * sizeof *grouped);
  long *begins = malloc((size_t)(2 * pes + 1) * sizeof *begins);
  int *bucket = shmem_malloc(room * sizeof *bucket), *last_of_left = shmem_malloc(sizeof(int));
  long *fill = shmem_malloc(sizeof *fill), *wrong = shmem_calloc(1, sizeof *wrong);
  long *checksum_of_all = shmem_calloc(1, sizeof *checksum_of_all);
  random_state = (uint64_t)me + 1;

  for (int time = 0; time < times; time++) {
    for (long i = 0; i < count; i++) keys[i] = random_key();
    is_right &= sort(keys, grouped, begins, count, bucket, room, fill, last_of_left);
  }

  if (!is_right) shmem_long_atomic_inc(wrong, 0);
  if (is_right) shmem_long_atomic_add(checksum_of_all, checksum(bucket, *fill), 0);
  shmem_barrier_all();
  long pes_wrong = shmem_long_g(wrong, 0);
  if (me == 0 && pes_wrong == 0) printf("verified, checksum %016lx\n", *checksum_of_all);
  if (me == 0 && pes_wrong != 0) printf("%ld PEs are wrong\n", pes_wrong);
  shmem_free(checksum_of_all);
  shmem_free(wrong);
  shmem_free(fill);
  shmem_free(last_of_left);
  shmem_free(bucket);
  free(begins);
  free(grouped);
  free(keys);
  shmem_finalize();
  return pes_wrong != 0;
}
