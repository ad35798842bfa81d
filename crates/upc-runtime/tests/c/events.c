/* One of everything that is reported, with fixed lines; see events() in instrumentation.rs. Compiled with UPCR_INST. */
#include "test.h"
#include "pupc.h"

SHARED(a, 64);
SHARED(b, 4096);

static void work(void) {
  static upcr_function_site site = {"work", "e.upc", 10, 14, 0, 0, 0, 0};
  upcr_function_site *upcr_f __attribute__((cleanup(upcr_function_end))) = upcr_function_begin(&site);
  if (MYTHREAD >= 0) return;
  barrier();
}

static void accesses(int thread) {
  upcr_addr_t at = upcr_obj_a.addr + ((unsigned long)thread << UPCR_SHIFT);
  int e = upcr_put_begin(at, 4, 0, "e.upc", 20);
  *(volatile int *)at = 1;
  if (e) upcr_put_end(at, 4, 0, "e.upc", 20);
  e = upcr_get_begin(at, 4, 1, "e.upc", 21);
  (void)*(volatile int *)at;
  if (e) upcr_get_end(at, 4, 1, "e.upc", 21);
}

int upcr_user_main(int argc, char **argv) {
  static upcr_function_site site = {"user_main", "e.upc", 30, 99, 0, 0, 0, 0};
  upcr_function_site *upcr_f __attribute__((cleanup(upcr_function_end))) = upcr_function_begin(&site);
  int next = (MYTHREAD + 1) % THREADS;
  upcr_pts near = upcr_make(upcr_obj_b.addr + ((unsigned long)MYTHREAD << UPCR_SHIFT), 0);
  upcr_pts far = upcr_make(upcr_obj_b.addr + ((unsigned long)next << UPCR_SHIFT), 0);
  char buffer[32] = {0};
  work();
  accesses(next);
  accesses(MYTHREAD);
  upcr_barrier(0, 0, "e.upc", 31);
  upcr_notify(1, 7, "e.upc", 32);
  upcr_wait(1, 7, "e.upc", 33);
  upcr_fence("e.upc", 34);
  upcr_pts p = upcr_i_upc_all_alloc(2, 24, "e.upc", 40);
  upcr_i_upc_all_free(p, "e.upc", 41);
  p = upcr_i_upc_global_alloc(3, 8, "e.upc", 42);
  upcr_i_upc_free(p, "e.upc", 43);
  p = upcr_i_upc_alloc(16, "e.upc", 44);
  upcr_i_upc_free(p, "e.upc", 45);
  upcr_pts l = upcr_i_upc_all_lock_alloc("e.upc", 50);
  upcr_i_upc_lock(l, "e.upc", 51);
  upcr_i_upc_unlock(l, "e.upc", 52);
  upcr_i_upc_all_lock_free(l, "e.upc", 53);
  l = upcr_i_upc_global_lock_alloc("e.upc", 54);
  int got = upcr_i_upc_lock_attempt(l, "e.upc", 55);
  upcr_i_upc_unlock(l, "e.upc", 56);
  upcr_i_upc_lock_free(l, "e.upc", 57);
  upcr_i_upc_memget(buffer, far, 32, "e.upc", 60);
  upcr_i_upc_memput(near, buffer, 32, "e.upc", 61);
  upcr_i_upc_memcpy(near, far, 16, "e.upc", 62);
  upcr_i_upc_memset(near, 0, 16, "e.upc", 63);
  upcr_pts base = BASE(b), half = upcr_make(base.addr + 1024, 0);
  int flags = UPC_IN_MYSYNC | UPC_OUT_ALLSYNC;
  upcr_i_upc_all_broadcast(half, base, 8, flags, "e.upc", 70);
  upcr_i_upc_all_scatter(half, base, 8, flags, "e.upc", 71);
  upcr_i_upc_all_gather(half, base, 8, flags, "e.upc", 72);
  upcr_i_upc_all_gather_all(half, base, 8, flags, "e.upc", 73);
  upcr_i_upc_all_exchange(half, base, 8, flags, "e.upc", 74);
  upcr_pts perm = upcr_make(base.addr + 2048, 0);
  *(volatile int *)(perm.addr + ((unsigned long)MYTHREAD << UPCR_SHIFT)) = next;
  upcr_i_upc_all_permute(half, base, perm, 8, flags, "e.upc", 75);
  upcr_i_upc_all_reduceD(half, base, UPC_ADD, 8, 2, NULL, flags, "e.upc", 76);
  upcr_i_upc_all_prefix_reduceI(half, base, UPC_MAX, 8, 2, NULL, flags, "e.upc", 77);
  unsigned event = pupc_create_event("phase", "%d");
#line 80 "e.upc"
  pupc_event_start(event, 5);
  pupc_event_end(event, 6);
  pupc_event_atomic(event, 7);
  CHECK(pupc_control(0) == 1 && pupc_control(1) == 0 && got == 1, "control");
  if (argc > 1 && MYTHREAD == 1) upcr_i_upc_global_exit(8, "e.upc", 90);
  if (argc > 1) upcr_barrier(0, 0, "e.upc", 91);
  return 3;
}
