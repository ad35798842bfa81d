/* Tests flags in loops: around a ring, a flag goes from PE to PE, and each waits for it in another
 * way. In the log, a loop that only tests is one region of waiting; one that computes between its
 * tests is none. */
#include <sched.h>
#include <stdio.h>

#include <shmem.h>

static volatile double sink;

static void compute(void) {
  for (int i = 1; i < 1000000; i++) sink += 1.0 / i;
}

static void test_only(int *flag, int value) {
  while (!shmem_int_test(flag, SHMEM_CMP_EQ, value)) {
  }
}

static void test_and_yield(int *flag, int value) {
  while (!shmem_int_test(flag, SHMEM_CMP_EQ, value)) sched_yield();
}

static void test_and_compute(int *flag, int value) {
  while (!shmem_int_test(flag, SHMEM_CMP_EQ, value)) compute();
}

int main(void) {
  shmem_init();
  int me = shmem_my_pe(), pes = shmem_n_pes(), next = (me + 1) % pes;
  int *flag = shmem_calloc(1, sizeof *flag);
  shmem_barrier_all();
  void (*const waits[])(int *, int) = {test_only, test_and_yield, test_and_compute};
  for (int round = 1; round <= 9; round++) {
    if (me != 0) waits[round % 3](flag, round);
    compute();
    shmem_int_p(flag, round, next);
    if (me == 0) waits[round % 3](flag, round);
  }
  int is_right = *flag == 9;
  shmem_barrier_all();
  if (me == 0) printf(is_right ? "verified\n" : "the flag is %d\n", *flag);
  shmem_free(flag);
  shmem_finalize();
  return !is_right;
}
