/* Copying and setting shared memory, and what can be asked about pointers-to-shared. */
#include "runtime.h"

UPCR_LIBRARY void upc_memcpy(upcr_pts to, upcr_pts from, unsigned long n) {
  upcr_copy_bytes(to.addr, from.addr, n);
}
UPCR_LIBRARY void upc_memget(void *to, upcr_pts from, unsigned long n) {
  upcr_get_bytes(to, from.addr, n);
}
UPCR_LIBRARY void upc_memput(upcr_pts to, const void *from, unsigned long n) {
  upcr_put_bytes(to.addr, from, n);
}
UPCR_LIBRARY void upc_memset(upcr_pts to, int c, unsigned long n) { upcr_set_bytes(to.addr, c, n); }

UPCR_LIBRARY unsigned long upc_threadof(upcr_pts p) {
  return p.addr == 0 ? 0 : (unsigned long)upcr_thread_of(p.addr);
}
UPCR_LIBRARY unsigned long upc_phaseof(upcr_pts p) { return p.phase; }
UPCR_LIBRARY upcr_pts upc_resetphase(upcr_pts p) { return upcr_reset_phase(p); }
UPCR_LIBRARY unsigned long upc_addrfield(upcr_pts p) { return p.addr & UPCR_OFFSET_MASK; }

UPCR_LIBRARY unsigned long upc_affinitysize(unsigned long total, unsigned long block,
                                            unsigned long thread) {
  /* Indefinite, or a single block: all on thread 0 (UPC 1.3, 7.2.3.5). */
  if (block == 0 || block >= total) return thread == 0 ? total : 0;
  unsigned long threads = (unsigned long)upcr_threads;
  unsigned long whole = total / block, rest = total % block;
  unsigned long mine = whole / threads + (thread < whole % threads);
  return mine * block + (thread == whole % threads ? rest : 0);
}

/* For performance tools (pgas_upc_query.h). */
int pgas_upc_mythread(void) { return upcr_mythread; }
int pgas_upc_threads(void) { return upcr_threads; }
int pgas_upc_threadof(const void *pts) {
  upcr_addr_t addr = ((const upcr_pts *)pts)->addr;
  return addr == 0 ? 0 : upcr_thread_of(addr);
}
unsigned long pgas_upc_addrfield(const void *pts) {
  return ((const upcr_pts *)pts)->addr & UPCR_OFFSET_MASK;
}
