// threads: 1 2 7
// Threads that wait for each other in loops of their own make progress where they share cores, and leave the
// processor to others: without that, every turn costs time slices of all threads that look in vain.
#include <sys/resource.h>
#include <upc_relaxed.h>
#include "check.h"

enum { ROUNDS = 60 };

strict shared int turn;
shared int flag[THREADS];
relaxed shared int token;

static double processor_time(void) {
  struct rusage r;
  getrusage(RUSAGE_SELF, &r);
  return r.ru_utime.tv_sec + r.ru_stime.tv_sec + 1e-6 * (r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

/* Round `r` reaches this thread from its neighbour; that of thread 0 comes from the end of the round before. */
static int due(int r) { return MYTHREAD == 0 ? r - 1 : r; }

int main(void) {
  int turns = 0, next = (MYTHREAD + 1) % THREADS;

  for (int r = 0; r < ROUNDS; r++) {
    while (turn != r * THREADS + MYTHREAD)
      ;
    turn++;
    turns++;
  }
  upc_barrier;
  CHECK_EQUAL(turn, ROUNDS * THREADS);

  volatile int *mine = (volatile int *)&flag[MYTHREAD];
  for (int r = 1; r <= ROUNDS; r++) {
    const int wanted = due(r);
    for (; *mine < wanted;) { }
    flag[next] = r;
    turns++;
  }
  upc_barrier;

  for (int r = 0; r < ROUNDS; r++) {
    int wanted = r * THREADS + MYTHREAD;
    do {
    } while (token != wanted);
    token = wanted + 1;
    turns++;
  }
  upc_barrier;

  if (MYTHREAD == 0)
    token = 0;
  upc_barrier;
  for (int r = 0; r < ROUNDS; r++) {
    int wanted = r * THREADS + MYTHREAD, now;
    do {
      now = token;
    } while (now != wanted);
    token = wanted + 1;
    turns++;
  }
  upc_barrier;
  CHECK_EQUAL(turns, 4 * ROUNDS);
  CHECK(processor_time() < 0.6);
  return finish();
}
