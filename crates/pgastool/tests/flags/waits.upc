/* Loops that wait for a flag, and writes that end the waiting; lines are found by their comments. */
#include <bupc_sem.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>
#include <upc_relaxed.h>

shared int flag[THREADS];
shared int before, counter, own_flag[THREADS];
strict shared int strict_flag;
shared struct {
  int data, ready;
} cell[THREADS];
bupc_sem_t *shared semaphore;

static void pause_ms(int ms) { usleep(ms * 1000); }

static int left_by_return(int value) {
  while (1) {
    if (flag[0] == value) return 1; /* return */
  }
}

static void left_by_break(int value) {
  while (1) { /* break */
    int now = flag[0];
    if (now == value) break;
  }
}

static void left_by_goto(int value) {
  for (;;) { /* goto */
    if (flag[0] == value) goto out;
  }
out:;
}

int main(void) {
  int i;
  volatile int *mine = (volatile int *)&flag[MYTHREAD];

  if (MYTHREAD == 0) before = 1;
  upc_barrier;
  while (before == 0); /* set before */
  upc_barrier;

  if (MYTHREAD == 0) {
    pause_ms(10);
    flag[1] = 1; /* ping */
    while (flag[0] != 1); /* wait for pong */
  } else if (MYTHREAD == 1) {
    while (flag[1] != 1); /* wait for ping */
    pause_ms(10);
    flag[0] = 1; /* pong */
  }
  upc_barrier;

  if (MYTHREAD == 0) {
    for (i = 2; i < 5; i++) {
      pause_ms(5);
      flag[0] = i; /* own */
      upc_barrier;
    }
  } else {
    left_by_return(2);
    upc_barrier;
    left_by_break(3);
    upc_barrier;
    left_by_goto(4);
    upc_barrier;
  }

  if (MYTHREAD == 1) {
    pause_ms(5);
    flag[0] = 5; /* to a private pointer */
  } else if (MYTHREAD == 0) {
    while (*mine != 5) sched_yield(); /* private pointer */
  }
  upc_barrier;

  if (MYTHREAD == 1) {
    pause_ms(5);
    strict_flag = 1; /* strict */
  } else if (MYTHREAD == 0) {
    while (!strict_flag) upc_fence; /* fence */
  }
  upc_barrier;

  upc_forall(i = 0; i < THREADS; i++; &own_flag[i]) {
    pause_ms(5);
    own_flag[i] = 1; /* own loop */
  }
  while (own_flag[(MYTHREAD + 1) % THREADS] != 1); /* wait for own loop */
  upc_barrier;

  if (MYTHREAD == 1) {
    int one = 1;
    pause_ms(5);
    upc_memput(&cell[0].ready, &one, sizeof one); /* memput */
  } else if (MYTHREAD == 0) {
    while (!cell[0].ready); /* wait for memput */
  }
  upc_barrier;

  if (MYTHREAD == 1) { /* many writes that nobody waits for */
    for (i = 0; i < 1000; i++) cell[0].data = i;
    pause_ms(5);
    counter = 1; /* counter */
  } else {
    while (counter == 0); /* wait for counter */
  }
  upc_barrier;

  if (MYTHREAD == 0) semaphore = bupc_sem_alloc(BUPC_SEM_INTEGER);
  upc_barrier;
  if (MYTHREAD == 1) {
    pause_ms(5);
    bupc_sem_postN(semaphore, 3); /* post */
  } else if (MYTHREAD == 0) {
    bupc_sem_waitN(semaphore, 2); /* wait */
    while (!bupc_sem_try(semaphore)); /* try */
    bupc_sem_try(semaphore); /* in vain */
  }
  upc_barrier;
  return 0;
}
