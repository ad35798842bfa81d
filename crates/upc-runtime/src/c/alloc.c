/* The allocation functions of the library. */
#include <string.h>

#include "runtime.h"

/* Bytes of each thread's part of `blocks` blocks of `bytes` bytes. */
static unsigned long part(unsigned long blocks, unsigned long bytes, const char *call) {
  unsigned long each = blocks / (unsigned long)upcr_threads + (blocks % (unsigned long)upcr_threads != 0);
  unsigned long result;
  if (__builtin_mul_overflow(each, bytes, &result))
    upcr_fatal("thread %d: %s of %lu blocks of %lu bytes is more than memory can be", upcr_mythread, call, blocks,
               bytes);
  return result;
}

UPCR_LIBRARY upcr_pts upc_global_alloc(unsigned long blocks, unsigned long bytes) {
  if (blocks == 0 || bytes == 0) return upcr_null();
  return upcr_make(upcr_heap_common(part(blocks, bytes, "upc_global_alloc"), "upc_global_alloc"), 0);
}

UPCR_LIBRARY upcr_pts upc_all_alloc(unsigned long blocks, unsigned long bytes) {
  if (blocks == 0 || bytes == 0) return upcr_null();
  upcr_addr_t addr = 0;
  if (upcr_mythread == 0) addr = upcr_heap_common(part(blocks, bytes, "upc_all_alloc"), "upc_all_alloc");
  return upcr_make(upcr_publish(addr), 0);
}

UPCR_LIBRARY upcr_pts upc_alloc(unsigned long bytes) {
  if (bytes == 0) return upcr_null();
  return upcr_make(upcr_heap_local(upcr_mythread, bytes, "upc_alloc"), 0);
}

UPCR_LIBRARY upcr_pts upc_local_alloc(unsigned long blocks, unsigned long bytes) {
  unsigned long all;
  if (__builtin_mul_overflow(blocks, bytes, &all))
    upcr_fatal("thread %d: upc_local_alloc of %lu blocks of %lu bytes is more than memory can be", upcr_mythread,
               blocks, bytes);
  if (all == 0) return upcr_null();
  return upcr_make(upcr_heap_local(upcr_mythread, all, "upc_local_alloc"), 0);
}

UPCR_LIBRARY void upc_free(upcr_pts p) {
  if (p.addr != 0) upcr_heap_free(p, "upc_free");
}

/* Nobody may free before all have come, and nobody needs to wait: the last one frees. */
UPCR_LIBRARY void upc_all_free(upcr_pts p) {
  if (p.addr == 0) return;
  if (atomic_fetch_add(upcr_heap_free_arrivals(p, "upc_all_free"), 1) + 1 == (uint32_t)upcr_threads)
    upcr_heap_free(p, "upc_all_free");
}
