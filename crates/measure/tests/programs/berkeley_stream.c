/* Replays what Berkeley UPC reported for a program of two threads: each thread of the stream is a pthread here, and where
 * the program's threads waited for each other these do. Thread 0 comes late to the first barrier and to the broadcast, and
 * keeps the lock for a while: that makes wait states whose places and threads are known. */
#define OWN_MYTHREAD
#include "program.h"
#include <pthread.h>
#include <unistd.h>
#include <upc_types.h>

static __thread int number;
static pthread_barrier_t everybody;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int pgas_upc_mythread(void) { return number; }

/* What the runtime does between the events. */
static void before(unsigned tag, gasp_evttype_t type, int line) {
  if (number == 0 && type == GASP_START) {
    if (tag == GASP_UPC_NOTIFY && line == 20) usleep(20000);
    if (tag == GASP_UPC_ALL_BROADCAST) usleep(20000);
    if (tag == GASP_UPC_ALL_ALLOC) usleep(20000);
  }
}
static void after(unsigned tag, gasp_evttype_t type) {
  if (type != GASP_START) return;
  switch (tag) {
    case GASP_UPC_ALL_LOCK_ALLOC:
    case GASP_UPC_ALL_ALLOC:
    case GASP_UPC_ALL_BROADCAST:
    case GASP_UPC_ALL_REDUCE:
    case GASP_UPC_WAIT: pthread_barrier_wait(&everybody); break;
    case GASP_UPC_LOCK: pthread_mutex_lock(&lock); break;
    case GASP_UPC_UNLOCK: pthread_mutex_unlock(&lock); break;
  }
}

static char private_side[16];
#define PRIVATE ((void *)private_side)
#define SHARED(address, thread) ((void *)&(pts){thread, address})
#define EVENT(tag, type, file, line, ...)                                                        \
  before(GASP_##tag, GASP_##type, line);                                                         \
  gasp_event_notify(context, GASP_##tag, GASP_##type, file, line, 0, ##__VA_ARGS__);             \
  after(GASP_##tag, GASP_##type);

/* A recorder takes a while to be ready; the program's threads begin together. */
static void start(void) {
  begin();
  pthread_barrier_wait(&everybody);
}

static void thread_0(void) {
#include "../streams/berkeley_thread_0.h"
}

static void *thread_1(void *unused) {
  (void)unused;
  number = 1;
  start();
#include "../streams/berkeley_thread_1.h"
  return NULL;
}

int main(void) {
  pthread_t other;
  pthread_barrier_init(&everybody, NULL, 2);
  pthread_create(&other, NULL, thread_1, NULL);
  start();
  thread_0();
  pthread_join(other, NULL);
  return 0;
}
