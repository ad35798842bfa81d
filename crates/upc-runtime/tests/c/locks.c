/* Locks: mutual exclusion under contention, attempts, hand-over to those who wait long, freeing. */
#include <time.h>

#include "test.h"

SHARED(counter, 64);
SHARED(inside, 64);

static long plain(long n) {
  upcr_pts lock = upc_all_lock_alloc();
  long taken = 0;
  for (long i = 0; i < n; i++) {
    if (i % 5 == 0) {
      if (!upc_lock_attempt(lock)) continue;
    } else {
      upc_lock(lock);
    }
    taken++;
    CHECK(ON(inside, 0, int) == 0, "two are inside");
    ON(inside, 0, int) = 1;
    ON(counter, 0, long)++;
    ON(inside, 0, int) = 0;
    upc_unlock(lock);
  }
  barrier();
  upc_all_lock_free(lock);
  return taken;
}

int upcr_user_main(int argc, char **argv) {
  ON(counter, MYTHREAD, long) = 0;
  barrier();
  long taken = plain(20000 / THREADS + 100);
  ((volatile long *)&ON(counter, MYTHREAD, long))[1] = taken;
  barrier();
  long total = 0;
  for (int t = 0; t < THREADS; t++) total += ((volatile long *)&ON(counter, t, long))[1];
  CHECK(ON(counter, 0, long) == total, "%ld entries, %ld counted", total, ON(counter, 0, long));
  barrier();

  /* Thread 0 takes the lock again and again; each of the others gets it too. */
  upcr_pts lock = upc_all_lock_alloc();
  ON(counter, MYTHREAD, long) = 0;
  barrier();
  if (MYTHREAD == 0) {
    for (int waiting = THREADS - 1; waiting > 0;) {
      upc_lock(lock);
      upc_unlock(lock);
      waiting = THREADS - 1;
      for (int t = 1; t < THREADS; t++) waiting -= ON(counter, t, long) == 1;
    }
  } else {
    upc_lock(lock);
    ON(counter, MYTHREAD, long) = 1;
    upc_unlock(lock);
  }
  barrier();

  /* A lock that is held: others' attempts fail, whoever waits gets it after the release. */
  if (MYTHREAD == 0) upc_lock(lock);
  barrier();
  if (MYTHREAD != 0) CHECK(!upc_lock_attempt(lock), "two hold it");
  barrier();
  if (MYTHREAD == 0) {
    struct timespec moment = {0, 20000000};
    nanosleep(&moment, NULL);
    upc_unlock(lock);
  } else {
    upc_lock(lock);
    upc_unlock(lock);
  }
  barrier();

  /* Freeing, also while it is held, and nothing. */
  if (MYTHREAD == 0) {
    upc_lock(lock);
    upc_lock_free(lock);
    upc_lock_free(upcr_null());
  }
  upc_all_lock_free(upcr_null());
  upcr_pts own = upc_global_lock_alloc();
  CHECK((int)upc_threadof(own) == MYTHREAD, "affinity");
  upc_lock(own);
  upc_unlock(own);
  upc_lock_free(own);
  OK();
  return 0;
}
