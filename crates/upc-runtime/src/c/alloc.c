/* The allocation functions of the library. */
#include <string.h>

#include "runtime.h"

/* Bytes of each thread's part of `blocks` blocks of `bytes` bytes. */
static unsigned long part(unsigned long blocks, unsigned long bytes, const char *call) {
  unsigned long each =
      blocks / (unsigned long)upcr_threads + (blocks % (unsigned long)upcr_threads != 0);
  unsigned long result;
  if (__builtin_mul_overflow(each, bytes, &result))
    upcr_fatal("thread %d: %s of %lu blocks of %lu bytes is more than memory can be", upcr_mythread,
               call, blocks, bytes);
  return result;
}

/* Memory of the common heap, or of this thread's own, for a number of blocks of one size. */
static upcr_addr_t allocate(int common, unsigned long blocks, unsigned long bytes,
                            const char *call) {
  unsigned long all;
  /* Cached content of the memory may be of its former use. */
  upcr_settle_far();
  if (common) {
    all = part(blocks, bytes, call);
  } else if (__builtin_mul_overflow(blocks, bytes, &all)) {
    upcr_fatal("thread %d: %s of %lu blocks of %lu bytes is more than memory can be", upcr_mythread,
               call, blocks, bytes);
  }
  if (__builtin_expect(&upcr_checks == NULL, 1))
    return common ? upcr_heap_common(all, call) : upcr_heap_local(upcr_mythread, all, call);
  unsigned long with_zone = all > ~0ul - upcr_checks.red_zone ? all : all + upcr_checks.red_zone;
  upcr_addr_t addr =
      common ? upcr_heap_common(with_zone, call) : upcr_heap_local(upcr_mythread, with_zone, call);
  upcr_checks.allocated(addr, blocks, bytes, 0, call);
  return addr;
}

UPCR_LIBRARY upcr_pts upc_global_alloc(unsigned long blocks, unsigned long bytes) {
  if (blocks == 0 || bytes == 0) return upcr_null();
  return upcr_make(allocate(1, blocks, bytes, "upc_global_alloc"), 0);
}

UPCR_LIBRARY upcr_pts upc_all_alloc(unsigned long blocks, unsigned long bytes) {
  if (blocks == 0 || bytes == 0) return upcr_null();
  upcr_addr_t addr =
      upcr_publish(upcr_mythread == 0 ? allocate(1, blocks, bytes, "upc_all_alloc") : 0);
  upcr_keep_together(UPCR_AT_ALL_ALLOC);
  return upcr_make(addr, 0);
}

UPCR_LIBRARY upcr_pts upc_alloc(unsigned long bytes) {
  if (bytes == 0) return upcr_null();
  return upcr_make(allocate(0, 1, bytes, "upc_alloc"), 0);
}

UPCR_LIBRARY upcr_pts upc_local_alloc(unsigned long blocks, unsigned long bytes) {
  if (blocks == 0 || bytes == 0) return upcr_null();
  return upcr_make(allocate(0, blocks, bytes, "upc_local_alloc"), 0);
}

static void release(upcr_pts p, const char *call) {
  upcr_settle_far();
  if (__builtin_expect(&upcr_checks != NULL, 0)) upcr_checks.freeing(p, 0, call);
  else upcr_heap_free(p, call);
}

UPCR_LIBRARY void upc_free(upcr_pts p) {
  if (p.addr != 0) release(p, "upc_free");
}

/* Nobody may free before all have come: the last one frees. */
UPCR_LIBRARY void upc_all_free(upcr_pts p) {
  if (p.addr == 0) return;
  if (upcr_heap_is_last_to_free(p, "upc_all_free")) release(p, "upc_all_free");
  upcr_keep_together(UPCR_AT_ALL_FREE);
}
