#include <upc_relaxed.h>
#include <upc_collective.h>
#include <pupc.h>
#include <stdio.h>
shared [4] int data[4 * THREADS];
shared int sum;
static volatile int sink;
static void tiny(int i) { sink = i; }
static void with_get(int i) { int part[4]; upc_memget(part, &data[4 * (i % THREADS)], sizeof part); sink = part[0]; }
int main(void) {
  unsigned step = pupc_create_event("step", "number %d");
  upc_lock_t *lock = upc_all_lock_alloc();
  upc_barrier;
  for (int i = 0; i < 60; i++) tiny(i);
  for (int i = 0; i < 40; i++) with_get(i);
  for (int i = 0; i < 3; i++) {
    pupc_event_start(step, i);
    upc_lock(lock);
    sum += data[MYTHREAD * 4];
    upc_unlock(lock);
    upc_barrier i;
    pupc_event_end(step, i);
  }
  int on = pupc_control(0);
  upc_barrier;
  pupc_control(on);
  upc_all_reduceI(&sum, data, UPC_ADD, 4 * THREADS, 4, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
  upc_notify 5;
  tiny(1);
  upc_wait 5;
  return 0;
}
