/* Sorts keys by buckets: each process counts how many of its keys belong to which process, all
 * exchange the counts, then the keys, and sort what they got.
 *
 *   integer_sort [KEYS [ROUNDS]]
 *
 * KEYS of each process; those of the upper half of all values are rare, so that the first processes
 * get more than the last. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

enum { LARGEST = 1 << 16 };

static int me, processes;

/* The smaller of two random numbers. */
static int random_key(uint64_t *state) {
  int key = LARGEST;
  for (int i = 0; i < 2; i++) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    int next = (int)(*state >> 33) % LARGEST;
    if (next < key) key = next;
  }
  return key;
}

static int owner(int key) { return (int)((int64_t)key * processes / LARGEST); }

/* Places of parts that follow each other; returns the number of all elements. */
static int follow(const int *counts, int *places) {
  int sum = 0;
  for (int i = 0; i < processes; i++) {
    places[i] = sum;
    sum += counts[i];
  }
  return sum;
}

static int *numbers(int count) { return calloc((size_t)(count > 0 ? count : 1), sizeof(int)); }

/* Keys in the order of their owners. */
static int *by_owner(const int *keys, int count, const int *places) {
  int *ordered = numbers(count), *next = numbers(processes);
  for (int i = 0; i < processes; i++) next[i] = places[i];
  for (int i = 0; i < count; i++) ordered[next[owner(keys[i])]++] = keys[i];
  free(next);
  return ordered;
}

static void sort(int *keys, int count) {
  int *times = numbers(LARGEST);
  for (int i = 0; i < count; i++) times[keys[i]]++;
  for (int key = 0, at = 0; key < LARGEST; key++)
    for (int i = 0; i < times[key]; i++) keys[at++] = key;
  free(times);
}

/* Each has its own range in order, and no key is lost. */
static int is_right(const int *keys, int count, int64_t expected_keys, int64_t expected_sum) {
  int wrong = 0;
  int64_t own[2] = {count, 0}, all[2];
  for (int i = 0; i < count; i++) {
    wrong |= owner(keys[i]) != me || (i > 0 && keys[i - 1] > keys[i]);
    own[1] += keys[i];
  }
  MPI_Allreduce(own, all, 2, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  return !wrong && all[0] == expected_keys && all[1] == expected_sum;
}

static int *exchange(const int *keys, int count, int *got) {
  int *out_counts = numbers(processes), *in_counts = numbers(processes);
  int *out_places = numbers(processes), *in_places = numbers(processes);
  for (int i = 0; i < count; i++) out_counts[owner(keys[i])]++;
  MPI_Alltoall(out_counts, 1, MPI_INT, in_counts, 1, MPI_INT, MPI_COMM_WORLD);
  follow(out_counts, out_places);
  *got = follow(in_counts, in_places);
  int *out = by_owner(keys, count, out_places), *in = numbers(*got);
  MPI_Alltoallv(out, out_counts, out_places, MPI_INT, in, in_counts, in_places, MPI_INT,
                MPI_COMM_WORLD);
  free(out);
  free(out_counts);
  free(in_counts);
  free(out_places);
  free(in_places);
  return in;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  int count = argc > 1 ? atoi(argv[1]) : 200000, rounds = argc > 2 ? atoi(argv[2]) : 10;
  int *keys = numbers(count), wrong = 0, wrong_processes = 0;
  for (int round = 0; round < rounds; round++) {
    uint64_t state = 1 + (uint64_t)me + 1000 * (uint64_t)round;
    int64_t own = 0, sum = 0;
    for (int i = 0; i < count; i++) own += keys[i] = random_key(&state);
    MPI_Reduce(&own, &sum, 1, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Bcast(&sum, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    int got;
    int *sorted = exchange(keys, count, &got);
    sort(sorted, got);
    wrong |= !is_right(sorted, got, (int64_t)count * processes, sum);
    free(sorted);
  }
  MPI_Allreduce(&wrong, &wrong_processes, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (me == 0) {
    if (wrong_processes == 0) printf("verified\n");
    else printf("%d processes have wrong keys\n", wrong_processes);
  }
  free(keys);
  MPI_Finalize();
  return wrong_processes != 0;
}
