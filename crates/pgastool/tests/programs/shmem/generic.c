/* The generic names of C11, which the header turns into functions by the types of the arguments. */
#include <stdio.h>

#include <shmem.h>

int main(void) {
  shmem_init();
  int me = shmem_my_pe(), pes = shmem_n_pes(), next = (me + 1) % pes;
  int previous = (me + pes - 1) % pes;
  long *words = shmem_calloc(4, sizeof *words);
  double *number = shmem_calloc(2, sizeof *number), half = me + 0.5;
  shmem_barrier_all();
  shmem_p(&words[0], me + 1L, next);
  shmem_put(number, &half, 1, next);
  shmem_put_nbi(number + 1, &half, 1, next);
  shmem_atomic_add(&words[1], 5L, next);
  long before = shmem_atomic_fetch_add(&words[2], 7L, next);
  shmem_wait_until(&words[0], SHMEM_CMP_NE, 0L);
  shmem_barrier_all();
  int is_right = words[0] == previous + 1 && number[0] == previous + 0.5 &&
                 number[1] == previous + 0.5 && words[1] == 5 && before == 0 &&
                 shmem_g(&words[2], next) == 7;
  long *wrong = shmem_calloc(1, sizeof *wrong);
  if (!is_right) shmem_atomic_inc(wrong, 0);
  shmem_barrier_all();
  long sum = shmem_g(wrong, 0);
  if (me == 0) printf(sum == 0 ? "verified\n" : "%ld PEs are wrong\n", sum);
  shmem_finalize();
  return sum != 0;
}
