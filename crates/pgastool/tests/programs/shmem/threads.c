/* Several threads of each PE call the library: those of the thread that initialised it are
 * recorded, the others' go through. */
#include <pthread.h>
#include <stdio.h>

#include <shmem.h>

enum { THREADS = 3, TIMES = 100 };

static long *count;

static void *add(void *unused) {
  for (int i = 0; i < TIMES; i++)
    for (int pe = 0; pe < shmem_n_pes(); pe++) shmem_long_atomic_inc(&count[0], pe);
  shmem_quiet();
  return unused;
}

int main(void) {
  int provided;
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
  int me = shmem_my_pe(), pes = shmem_n_pes();
  count = shmem_calloc(1, sizeof *count);
  int threads = provided == SHMEM_THREAD_MULTIPLE ? THREADS : 0;
  pthread_t thread[THREADS];
  for (int i = 0; i < threads; i++) pthread_create(&thread[i], NULL, add, NULL);
  add(NULL);
  for (int i = 0; i < threads; i++) pthread_join(thread[i], NULL);
  shmem_barrier_all();
  int is_right = *count == (long)(threads + 1) * TIMES * pes;
  if (me == 0) printf(is_right ? "verified\n" : "%ld\n", *count);
  shmem_free(count);
  shmem_finalize();
  return !is_right;
}
