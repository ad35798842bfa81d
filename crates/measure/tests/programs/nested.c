/* What Berkeley UPC reports for a prefix reduction, which is made of barriers and messages, for a reduction with a function
 * of the program, and for an operation that a jump left: two threads, each a pthread. Thread 0 comes to the prefix
 * reduction 20 ms after thread 1. */
#define OWN_MYTHREAD
#include "program.h"
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>
#include <upc_types.h>

static __thread int number;
static pthread_barrier_t everybody;
static sem_t is_inside;

int pgas_upc_mythread(void) { return number; }

#define SHARED(address, thread) ((void *)&(pts){thread, address})
#define REDUCTION(mode)                                                                                             \
  SHARED(0x1000, 0), SHARED(0x2000, 0), UPC_ADD, (size_t)2, (size_t)1, NULL, mode, (int)GASP_UPC_REDUCTION_I
#define MINE (UPC_IN_MYSYNC | UPC_OUT_MYSYNC)

static void meet(int line) {
  BOTH(GASP_UPC_NOTIFY, line, 0, 0);
  START(GASP_UPC_WAIT, line, 0, 0);
  pthread_barrier_wait(&everybody);
  END(GASP_UPC_WAIT, line, 0, 0);
}

static void program(void) {
  char private_side[8] = "";
  START(GASP_C_FUNC, 1, "user_main");
  meet(2);
  if (number == 0) {
    sem_wait(&is_inside);
    usleep(20000);
  }
  START(GASP_UPC_ALL_PREFIX_REDUCE, 3, REDUCTION(MINE));
  if (number == 1) sem_post(&is_inside);
  START(GASP_UPC_ALLOC, 3, (size_t)64);
  END(GASP_UPC_ALLOC, 3, (size_t)64, SHARED(0x3000, 0));
  meet(3);
  BOTH(GASP_UPC_MEMGET, 3, private_side, SHARED(0x2000, 1 - number), sizeof private_side);
  meet(3);
  END(GASP_UPC_ALL_PREFIX_REDUCE, 3, REDUCTION(MINE));

  /* The function is the program's, and so is what it does. */
  START(GASP_UPC_ALL_REDUCE, 4, REDUCTION(MINE));
  BOTH(GASP_UPC_ALLOC, 4, (size_t)64, SHARED(0x3000, 0));
  START(GASP_C_FUNC, 10, "add");
  BOTH(GASP_UPC_MEMGET, 11, private_side, SHARED(0x2000, 1 - number), sizeof private_side);
  END(GASP_C_FUNC, 12, "add");
  BOTH(GASP_UPC_FREE, 4, SHARED(0x3000, 0));
  END(GASP_UPC_ALL_REDUCE, 4, REDUCTION(MINE));

  /* One operation inside of itself. */
  START(GASP_UPC_MEMGET, 5, private_side, SHARED(0x2000, 1 - number), sizeof private_side);
  BOTH(GASP_UPC_MEMGET, 5, private_side, SHARED(0x2000, 1 - number), sizeof private_side / 2);
  END(GASP_UPC_MEMGET, 5, private_side, SHARED(0x2000, 1 - number), sizeof private_side);

  /* A jump out of an operation and the function around it. */
  START(GASP_C_FUNC, 20, "leaves");
  START(GASP_UPC_MEMGET, 21, private_side, SHARED(0x2000, 1 - number), sizeof private_side);
  END(GASP_C_FUNC, 22, "leaves");
  BOTH(GASP_UPC_MEMGET, 6, private_side, SHARED(0x2000, 1 - number), sizeof private_side);
  END(GASP_C_FUNC, 9, "user_main");
  START(GASP_UPC_COLLECTIVE_EXIT, 0, 0);
  meet(0);
  END(GASP_UPC_COLLECTIVE_EXIT, 0, 0);
}

static void *thread_1(void *unused) {
  (void)unused;
  number = 1;
  begin();
  program();
  return NULL;
}

int main(void) {
  pthread_t other;
  pthread_barrier_init(&everybody, NULL, 2);
  sem_init(&is_inside, 0, 0);
  pthread_create(&other, NULL, thread_1, NULL);
  begin();
  program();
  pthread_join(other, NULL);
  return 0;
}
