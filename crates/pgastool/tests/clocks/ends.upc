/* Some barriers, then an end as the first argument says: `main`, `global` (one thread ends all), `silent` (no barrier before
 * the end at all). */
#include <stdio.h>
#include <string.h>
#include <upc.h>

shared int filled[THREADS];

static void together(void) {
  upc_barrier;
  filled[MYTHREAD] = MYTHREAD;
  for (int i = 0; i < 3; i++) {
    upc_notify;
    upc_wait;
  }
}

int main(int argc, char **argv) {
  const char *end = argc > 1 ? argv[1] : "main";
  if (strcmp(end, "silent") == 0) return 0;
  together();
  if (MYTHREAD == 0) {
    int sum = 0;
    for (int i = 0; i < THREADS; i++) sum += filled[i];
    printf("sum %d of %d threads\n", sum, THREADS);
  }
  upc_barrier;
  if (strcmp(end, "global") == 0) upc_global_exit(0);
  return 0;
}
