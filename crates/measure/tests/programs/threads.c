/* Several UPC threads as pthreads of one process; main returns while the others go on. */
#define OWN_MYTHREAD
#include "program.h"
#include <pthread.h>
#include <unistd.h>

static __thread int number;
static pthread_barrier_t everybody;

int pgas_upc_mythread(void) { return number; }

static void *work(void *argument) {
  number = (int)(long)argument;
  begin();
  START(GASP_C_FUNC, 1, "thread");
  for (int i = 0; i < 10000; i++) call();
  pthread_barrier_wait(&everybody);
  for (;;) call();
  return NULL;
}

int main(void) {
  pthread_t thread;
  int threads = pgas_upc_threads();
  pthread_barrier_init(&everybody, NULL, threads);
  for (long i = 1; i < threads; i++) pthread_create(&thread, NULL, work, (void *)i);
  begin();
  START(GASP_C_FUNC, 1, "thread");
  for (int i = 0; i < 10000; i++) call();
  pthread_barrier_wait(&everybody);
  puts("result 42");
  return 0;
}
