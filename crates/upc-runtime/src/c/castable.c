/* From pointers-to-shared to pointers and back: upc_castable.h and the functions of Berkeley UPC
 * for it. All memory of a node is mapped in each of its threads, at an address that tells whose it
 * is. */
#include "upcr_bupc_pointers.h"
#include "runtime.h"
#include "upc_castable.h"

static int is_castable_thread(long thread) {
  return thread >= upcr_near_first() && thread < upcr_near_end();
}
static int is_castable(upcr_addr_t addr) { return is_castable_thread(upcr_thread_of(addr)); }

UPCR_LIBRARY void *upc_cast(upcr_pts p) { return is_castable(p.addr) ? upcr_local(p.addr) : NULL; }
UPCR_LIBRARY void *bupc_cast(upcr_pts p) { return upc_cast(p); }
UPCR_LIBRARY int bupc_castable(upcr_pts p) { return p.addr == 0 || is_castable(p.addr); }

UPCR_LIBRARY upc_thread_info_t upc_thread_info(unsigned long thread) {
  int castable = thread < (unsigned long)upcr_threads && is_castable_thread((long)thread)
                     ? UPC_CASTABLE_ALL
                     : 0;
  upc_thread_info_t info = {castable, castable};
  return info;
}
UPCR_LIBRARY int bupc_thread_castable(unsigned int thread) {
  return is_castable_thread((long)thread);
}

UPCR_LIBRARY unsigned int bupc_thread_distance(int one, int other) {
  if (one < 0 || one >= upcr_threads || other < 0 || other >= upcr_threads)
    upcr_fatal("thread %d: bupc_thread_distance of the threads %d and %d, expected 0 to %d",
               upcr_mythread, one, other, upcr_threads - 1);
  if (one == other) return BUPC_THREADS_SAME;
  return upcr_are_on_one_node(one, other) ? BUPC_THREADS_VERYNEAR : BUPC_THREADS_VERYFAR;
}

UPCR_LIBRARY upcr_pts bupc_inverse_cast(void *p) {
  return is_castable((upcr_addr_t)p) ? upcr_make((upcr_addr_t)p, 0) : upcr_null();
}

/* `p` is an address as `thread` has it; all threads have the same ones. */
UPCR_LIBRARY upcr_pts bupc_local_to_shared(void *p, int thread, int phase) {
  if (p == NULL) return upcr_null();
  if (!is_castable((upcr_addr_t)p) || thread < 0 || thread >= upcr_threads)
    upcr_fatal("thread %d: bupc_local_to_shared of %p on thread %d, which is not shared memory",
               upcr_mythread, p, thread);
  return upcr_make(upcr_segment(thread) + ((upcr_addr_t)p & UPCR_OFFSET_MASK),
                   (unsigned long)phase);
}

UPCR_LIBRARY upcr_pts bupc_ptradd(upcr_pts p, unsigned long block, unsigned long size, long n) {
  if (block == 0) return upcr_add_indef(p, n, size);
  if (block == 1) return upcr_add_cyclic(p, n, size);
  return upcr_add_blocked(p, n, size, (long)block);
}
