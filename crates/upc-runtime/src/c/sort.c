/* upc_all_sort, of the collectives that were drafted for UPC 1.2 and that some programs still call: a stable merge
 * sort by thread 0, whatever the flags, with barriers around. */
#include <string.h>

#include "collective.h"

static upcr_addr_t element(upcr_pts p, unsigned long i, unsigned long size, unsigned long block) {
  if (block == 0) return upcr_add_indef(p, (long)i, size).addr;
  if (block == 1) return upcr_add_cyclic(p, (long)i, size).addr;
  return upcr_add_blocked(p, (long)i, size, (long)block).addr;
}

/* Merges the sorted elements `a` to `b` and `b` to `c`. */
static void merge(char *to, char *from, unsigned long a, unsigned long b, unsigned long c, unsigned long size,
                  int (*compare)(upcr_pts, upcr_pts)) {
  unsigned long i = a, j = b;
  for (unsigned long k = a; k < c; k++) {
    int left = j >= c || (i < b && compare(upcr_make((upcr_addr_t)(from + i * size), 0),
                                           upcr_make((upcr_addr_t)(from + j * size), 0)) <= 0);
    memcpy(to + k * size, from + (left ? i++ : j++) * size, size);
  }
}

static void sort(upcr_pts p, unsigned long size, unsigned long n, unsigned long block,
                 int (*compare)(upcr_pts, upcr_pts)) {
  unsigned long bytes;
  if (__builtin_mul_overflow(size, n, &bytes) || __builtin_mul_overflow(bytes, 2ul, &bytes))
    upcr_fatal("thread %d: upc_all_sort of %lu elements of %lu bytes is more than memory can be", upcr_mythread, n, size);
  /* In shared memory, because the function gets pointers-to-shared. */
  upcr_addr_t space = upcr_heap_local(upcr_mythread, bytes, "upc_all_sort");
  char *from = upcr_local(space), *to = from + bytes / 2;
  for (unsigned long i = 0; i < n; i++) memcpy(from + i * size, upcr_local(element(p, i, size, block)), size);
  for (unsigned long width = 1; width < n; width *= 2) {
    for (unsigned long a = 0; a < n; a += 2 * width) {
      unsigned long b = n - a < width ? n : a + width, c = n - a < 2 * width ? n : a + 2 * width;
      merge(to, from, a, b, c, size, compare);
    }
    char *sorted = to;
    to = from;
    from = sorted;
  }
  for (unsigned long i = 0; i < n; i++) memcpy(upcr_local(element(p, i, size, block)), from + i * size, size);
  upcr_heap_free(upcr_make(space, 0), "upc_all_sort");
}

UPCR_LIBRARY void upc_all_sort(upcr_pts p, unsigned long size, unsigned long n, unsigned long block,
                               int (*compare)(upcr_pts, upcr_pts), int flags) {
  (void)flags;
  int thread = upcr_thread_of(p.addr);
  if (thread < 0 || thread >= upcr_threads)
    upcr_fatal("thread %d: the array of upc_all_sort is %s", upcr_mythread,
               p.addr == 0 ? "a null pointer" : "not a pointer to shared memory");
  if (compare == NULL) upcr_fatal("thread %d: upc_all_sort has no function", upcr_mythread);
  upcr_synchronize(UPCR_AT_SORT, 0);
  if (upcr_mythread == 0 && n > 1 && size > 0) sort(p, size, n, block, compare);
  upcr_synchronize(UPCR_AT_SORT, 0);
}
