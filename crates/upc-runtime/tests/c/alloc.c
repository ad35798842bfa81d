/* The shared heaps: places, fresh memory is zero, reuse, frees by other threads, and that nothing overlaps. */
#include "test.h"

SHARED(slots, 1024 * 16);

#define SLOTS 1024
struct slot {
  upcr_pts p;
};
static volatile struct slot *slot(int thread, int i) {
  return (volatile struct slot *)(upcr_obj_slots.addr + ((unsigned long)thread << UPCR_SHIFT)) + i;
}

static void expect(unsigned char *memory, size_t size, unsigned char value) {
  for (size_t i = 0; i < size; i++) CHECK(memory[i] == value, "byte %zu of %zu is %d, not %d", i, size, memory[i], value);
}

/* What nobody had before is zero, in small pieces and in large ones. */
static void fresh(void) {
  static const size_t sizes[] = {1, 100, 5000, 3ul << 20, 40ul << 20};
  upcr_pts got[5];
  for (int i = 0; i < 5; i++) {
    got[i] = upc_alloc(sizes[i]);
    expect((unsigned char *)got[i].addr, sizes[i], 0);
  }
  for (int i = 0; i < 5; i++) upc_free(got[i]);
  barrier();
}

static void simple(void) {
  CHECK(upc_alloc(0).addr == 0 && upc_global_alloc(0, 8).addr == 0 && upc_all_alloc(8, 0).addr == 0, "size zero");
  CHECK(upc_local_alloc(0, 8).addr == 0, "size zero");
  upc_free(upcr_null());
  upc_all_free(upcr_null());
  upcr_pts p = upc_alloc(100);
  CHECK((int)upc_threadof(p) == MYTHREAD && p.phase == 0, "affinity");
  upc_free(p);
  p = upc_global_alloc((size_t)(2 * THREADS + 1), 40);
  CHECK(upc_threadof(p) == 0, "affinity");
  for (int t = 0; t < THREADS; t++) memset((void *)(p.addr + ((unsigned long)t << UPCR_SHIFT)), MYTHREAD + 1, 120);
  for (int t = 0; t < THREADS; t++)
    expect((unsigned char *)(p.addr + ((unsigned long)t << UPCR_SHIFT)), 120, (unsigned char)(MYTHREAD + 1));
  upc_free(p);
  barrier();
}

/* Collective allocation: the same everywhere, in order, however far thread 0 is ahead. */
static void collective(void) {
  enum { ROUNDS = 3000 };
  static upcr_pts got[ROUNDS];
  for (int i = 0; i < ROUNDS; i++) {
    got[i] = upc_all_alloc((size_t)THREADS, 64);
    if (i % 7 == 3) {
      upcr_pts lock = upc_all_lock_alloc();
      CHECK(upc_threadof(lock) == 0, "affinity of a lock");
      upc_all_lock_free(lock);
    }
  }
  if (MYTHREAD == 0)
    for (int i = 0; i < ROUNDS; i++) *(volatile upcr_addr_t *)got[i].addr = got[i].addr;
  barrier();
  for (int i = 0; i < ROUNDS; i++) CHECK(*(volatile upcr_addr_t *)got[i].addr == got[i].addr, "round %d differs", i);
  barrier();
  for (int i = 0; i < ROUNDS; i++) {
    if (i % 2) upc_all_free(got[i]);
    else if (MYTHREAD == i / 2 % THREADS) upc_free(got[i]);
  }
  barrier();
}

/* Random allocations and frees; other threads free what one has left. */
static void churn(void) {
  unsigned long random = 1234567ul + (unsigned long)MYTHREAD * 7919;
  static struct {
    upcr_pts p;
    size_t size;
    int common;
  } own[300];
  memset(own, 0, sizeof own);
  for (int step = 0; step < 4000; step++) {
    int i = (int)(next_random(&random) % 300);
    if (own[i].p.addr != 0) {
      for (int t = 0; t < (own[i].common ? THREADS : 1); t++) {
        unsigned char *memory = (unsigned char *)(own[i].p.addr + ((unsigned long)t << UPCR_SHIFT));
        expect(memory, own[i].size, (unsigned char)(i + MYTHREAD));
      }
      upc_free(own[i].p);
      own[i].p = upcr_null();
    } else {
      size_t size = next_random(&random) % 5000 + 1;
      if (next_random(&random) % 50 == 0) size = 1500000;
      own[i].size = size;
      own[i].common = next_random(&random) % 4 == 0;
      own[i].p = own[i].common ? upc_global_alloc((size_t)THREADS, size) : upc_alloc(size);
      for (int t = 0; t < (own[i].common ? THREADS : 1); t++) {
        unsigned char *memory = (unsigned char *)(own[i].p.addr + ((unsigned long)t << UPCR_SHIFT));
        memset(memory, i + MYTHREAD, size);
      }
    }
  }
  for (int i = 0; i < 300; i++)
    if (own[i].p.addr != 0) upc_free(own[i].p);
  barrier();
  for (int i = 0; i < SLOTS; i++) {
    slot(MYTHREAD, i)->p.addr = i % 3 ? upc_alloc((size_t)i * 3 + 1).addr : upc_global_alloc(3, (size_t)i + 1).addr;
  }
  barrier();
  int next = (MYTHREAD + 1) % THREADS;
  for (int i = 0; i < SLOTS; i++) upc_free(upcr_make(slot(next, i)->p.addr, 0));
  barrier();
}

/* After all was freed, what was free at the begin is free again, in one piece. */
static void all_there_again(void) {
  upcr_pts before = upc_alloc(1000), common = upcr_null();
  if (MYTHREAD == 0) common = upc_global_alloc((size_t)THREADS, 1000);
  upc_free(before);
  if (MYTHREAD == 0) upc_free(common);
  barrier();
  simple();
  churn();
  upcr_pts after = upc_alloc(1000);
  CHECK(after.addr == before.addr, "local heap did not shrink: 0x%lx, 0x%lx", after.addr, before.addr);
  upc_free(after);
  if (MYTHREAD == 0) {
    after = upc_global_alloc((size_t)THREADS, 1000);
    CHECK(after.addr == common.addr, "common heap did not shrink");
    upc_free(after);
  }
  barrier();
}

/* Much is declared and allocated, little is touched. */
SHARED(huge, 6ul << 30);
static void sparse(void) {
  upcr_pts p = upc_all_alloc((size_t)THREADS * 4, 1ul << 30);
  *(volatile char *)(p.addr + (4ul << 30) - 1 + ((unsigned long)MYTHREAD << UPCR_SHIFT)) = 1;
  *(volatile char *)(upcr_obj_huge.addr + (6ul << 30) - 1 + ((unsigned long)MYTHREAD << UPCR_SHIFT)) = 1;
  barrier();
  upc_all_free(p);
  barrier();
}

int upcr_user_main(int argc, char **argv) {
  fresh();
  simple();
  all_there_again();
  sparse();
  collective();
  OK();
  return 0;
}
