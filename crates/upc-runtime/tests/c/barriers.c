/* Barriers: nobody leaves before all have come, notify never waits, wait needs no more than all notifies; named and
 * anonymous ones mixed as the language allows. */
#include <time.h>

#include "test.h"

SHARED(step, 64);

static void nap(long ms) {
  struct timespec t = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&t, NULL);
}

int upcr_user_main(int argc, char **argv) {
  int rounds = THREADS > 100 ? 20 : THREADS > 8 ? 100 : 2000;
  for (int i = 1; i <= rounds; i++) {
    ON(step, MYTHREAD, int) = i;
    if (i % 3 == 0) {
      upcr_notify(i % 2, i, __FILE__, __LINE__);
      upcr_wait(MYTHREAD % 2, i, __FILE__, __LINE__);
    } else if (i % 3 == 1) {
      upcr_barrier(MYTHREAD % 2, i, __FILE__, __LINE__);
    } else {
      barrier();
    }
    for (int t = 0; t < THREADS; t++) CHECK(ON(step, t, int) == i, "thread %d is at %d, not %d", t, ON(step, t, int), i);
    barrier();
  }
  /* Everybody notifies; thread 0 comes through its wait while the others have not come to theirs: they wait for
   * thread 0 to have passed. */
  ON(step, MYTHREAD, int) = 0;
  barrier();
  for (int i = 1; i <= (THREADS > 100 ? 5 : 50); i++) {
    upcr_notify(0, 0, __FILE__, __LINE__);
    if (MYTHREAD != 0)
      while (ON(step, 0, int) != i) nap(0);
    upcr_wait(0, 0, __FILE__, __LINE__);
    if (MYTHREAD == 0) ON(step, 0, int) = i;
  }
  barrier();
  /* Some notify, and go on, long before the last one does. */
  upcr_notify(0, 0, __FILE__, __LINE__);
  ON(step, MYTHREAD, int) = 1000;
  upcr_wait(0, 0, __FILE__, __LINE__);
  /* A value that only some threads give, on an otherwise anonymous one. */
  if (MYTHREAD == THREADS - 1) nap(30);
  upcr_notify(MYTHREAD == THREADS - 1, 5, __FILE__, __LINE__);
  upcr_wait(MYTHREAD == 0, 5, __FILE__, __LINE__);
  /* Waiting that lasts longer than looking. */
  if (MYTHREAD == 0) nap(60);
  barrier();
  if (MYTHREAD != 0) nap(30);
  OK();
  return 0;
}
