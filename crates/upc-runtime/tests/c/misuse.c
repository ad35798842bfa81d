/* What programs do wrong; the first argument chooses. Each ends with a message, none hangs. */
#include "test.h"

#ifdef DEFAULT_HEAP
const unsigned long upcr_default_heap = DEFAULT_HEAP;
#endif

#define NOTIFY(named, value) upcr_notify(named, value, "prog.upc", __LINE__)
#define WAIT(named, value) upcr_wait(named, value, "prog.upc", __LINE__)
#define BARRIER(named, value) upcr_barrier(named, value, "prog.upc", __LINE__)

int upcr_user_main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  upcr_pts lock = upc_all_lock_alloc(), memory = upc_all_alloc((size_t)THREADS, 8);
  barrier();
#define IS(name) (strcmp(what, name) == 0)
  if (IS("names")) { if (MYTHREAD == 0) BARRIER(1, 1); else BARRIER(1, 2); }
  if (IS("names split")) { NOTIFY(1, MYTHREAD == 0 ? 7 : 8); WAIT(0, 0); }
  if (IS("wait name")) { NOTIFY(1, 7); WAIT(1, MYTHREAD == 1 ? 9 : 7); }
  if (IS("wait name of others")) { NOTIFY(MYTHREAD == 0, 7); WAIT(MYTHREAD == 1, 9); }
  if (IS("notify twice")) { NOTIFY(0, 0); if (MYTHREAD == 1) NOTIFY(0, 0); WAIT(0, 0); }
  if (IS("wait alone")) { if (MYTHREAD == 1) WAIT(0, 0); barrier(); }
  if (IS("barrier inside")) { NOTIFY(0, 0); if (MYTHREAD == 1) BARRIER(0, 0); WAIT(0, 0); }
  if (IS("collective inside")) { NOTIFY(0, 0); upc_all_broadcast(memory, memory, 8, 0); WAIT(0, 0); }
  if (IS("collective and barrier")) { if (MYTHREAD == 1) BARRIER(0, 0); else upc_all_broadcast(memory, memory, 8, 0); }
  if (IS("end and barrier")) { if (MYTHREAD == 0) return 0; BARRIER(0, 0); }
  if (IS("exit and barrier")) { if (MYTHREAD == 0) exit(7); BARRIER(0, 0); }
  if (IS("end after notify")) { NOTIFY(0, 0); return 0; }
  if (IS("exit after notify")) { NOTIFY(0, 0); if (MYTHREAD == 1) exit(7); WAIT(0, 0); barrier(); }
  if (IS("unlock free")) { if (MYTHREAD == 1) upc_unlock(lock); barrier(); }
  if (IS("unlock other")) { if (MYTHREAD == 0) upc_lock(lock); barrier(); if (MYTHREAD == 1) upc_unlock(lock); barrier(); }
  if (IS("lock twice")) { if (MYTHREAD == 1) { upc_lock(lock); upc_lock(lock); } barrier(); }
  if (IS("lock null")) { upc_lock(upcr_null()); }
  if (IS("lock freed")) { if (MYTHREAD == 0) upc_lock_free(lock); barrier(); upc_lock(lock); }
  if (IS("lock free twice")) { barrier(); upc_lock_free(lock); barrier(); }
  if (IS("free twice")) { barrier(); upc_free(memory); upc_free(memory); }
  if (IS("free middle")) { if (MYTHREAD == 0) upc_free(upcr_make(memory.addr + 4, 0)); barrier(); }
  if (IS("free middle line")) { if (MYTHREAD == 0) upc_free(upcr_make(memory.addr + 64, 0)); barrier(); }
  if (IS("free static")) { if (MYTHREAD == 0) upc_free(upcr_make(UPCR_BASE + 64, 0)); barrier(); }
  if (IS("free wild")) { if (MYTHREAD == 0) upc_free(upcr_make(12345, 0)); barrier(); }
  if (IS("too much")) { upc_alloc(1ul << 60); }
  if (IS("overflow")) { upc_global_alloc(1ul << 62, 1ul << 62); }
  if (IS("exhaust")) { for (;;) upc_global_alloc((size_t)THREADS, 1 << 20); }
  if (IS("exhaust local")) { for (;;) upc_alloc(1 << 20); }
  if (IS("deadlock allocation")) { if (MYTHREAD != 0) upc_all_alloc(1, 1); return 0; }
  if (IS("deadlock locks")) {
    upcr_pts other = upc_all_lock_alloc();
    upc_lock(MYTHREAD == 0 ? lock : other);
    barrier();
    upc_lock(MYTHREAD == 0 ? other : lock);
  }
  if (IS("deadlock lock held")) { if (MYTHREAD == 1) { upc_lock(lock); exit(3); } sleep(1); upc_lock(lock); }
  if (IS("deadlock collective")) { if (MYTHREAD == 0) BARRIER(0, 0); else upc_all_broadcast(memory, memory, 8, UPC_IN_MYSYNC | UPC_OUT_MYSYNC); }
  /* Long waits that end are no deadlocks. */
  if (IS("patience")) {
    if (MYTHREAD == 1) { upc_lock(lock); sleep(4); upc_unlock(lock); }
    else { sleep(1); upc_lock(lock); upc_unlock(lock); }
    BARRIER(0, 0);
    if (MYTHREAD == 1) sleep(3);
    BARRIER(0, 0);
  }
  if (IS("null source")) { upc_all_broadcast(memory, upcr_null(), 8, 0); }
  if (IS("bad permutation")) { upcr_pts p = upc_all_alloc((size_t)THREADS, 4); *(volatile int *)(p.addr + ((unsigned long)MYTHREAD << UPCR_SHIFT)) = 77; upc_all_permute(memory, memory, p, 4, 0); }
  extern void upc_all_reduceD(upcr_pts, upcr_pts, int, size_t, size_t, double (*)(double, double), int);
  if (IS("bad operator")) { upc_all_reduceD(memory, memory, UPC_XOR, 1, 1, NULL, 0); }
  if (IS("no function")) { upc_all_reduceD(memory, memory, UPC_FUNC, 1, 1, NULL, 0); }
  return 0;
}
