/* Several threads of each PE call the library: those of the thread that initialised it are recorded,
 * the others' go through. */
#include <pthread.h>
#include <stdio.h>

#include <shmem.h>

enum { THREADS = 4, TIMES = 100 };

/* A word for each thread of the PE before. */
static long *words;
static int next;

static void *put(void *word) {
  for (long i = 1; i <= TIMES; i++) shmem_long_p(word, i, next);
  shmem_quiet();
  return NULL;
}

int main(void) {
  int provided;
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
  int me = shmem_my_pe(), pes = shmem_n_pes();
  next = (me + 1) % pes;
  words = shmem_calloc(THREADS, sizeof *words);
  shmem_barrier_all();
  int threads = provided == SHMEM_THREAD_MULTIPLE ? THREADS : 1;
  pthread_t thread[THREADS];
  for (int i = 1; i < threads; i++) pthread_create(&thread[i], NULL, put, &words[i]);
  put(&words[0]);
  for (int i = 1; i < threads; i++) pthread_join(thread[i], NULL);
  shmem_barrier_all();
  int is_right = 1;
  for (int i = 0; i < threads; i++) is_right &= words[i] == TIMES;
  if (me == 0) puts(is_right ? "verified" : "words are wrong");
  shmem_free(words);
  shmem_finalize();
  return !is_right;
}
