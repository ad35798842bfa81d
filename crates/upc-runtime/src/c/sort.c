/* upc_all_sort, of the collectives that were drafted for UPC 1.2 and that some programs still call:
 * a stable merge sort by thread 0, whatever the flags, with barriers around. */
#include <stdlib.h>
#include <string.h>

#include "collective.h"

/* An array to be sorted. */
struct array {
  upcr_pts first;
  unsigned long size;
  unsigned long block;
  int (*compare)(upcr_pts, upcr_pts);
};

static upcr_pts element(const struct array *a, unsigned long i) {
  if (a->block == 0) return upcr_add_indef(a->first, (long)i, a->size);
  if (a->block == 1) return upcr_add_cyclic(a->first, (long)i, a->size);
  return upcr_add_blocked(a->first, (long)i, a->size, (long)a->block);
}

/* Merges the sorted numbers of elements `begin` to `middle` and `middle` to `end`. */
static void merge(const struct array *a, unsigned long *to, const unsigned long *from,
                  unsigned long begin, unsigned long middle, unsigned long end) {
  unsigned long i = begin, j = middle;
  for (unsigned long k = begin; k < end; k++) {
    int left =
        j >= end || (i < middle && a->compare(element(a, from[i]), element(a, from[j])) <= 0);
    to[k] = from[left ? i++ : j++];
  }
}

/* Numbers of elements are sorted, so that the function sees the elements themselves, which do not
 * move until all is known. */
static void sort(const struct array *a, unsigned long n) {
  unsigned long bytes;
  unsigned long *from = calloc(n, sizeof *from), *to = calloc(n, sizeof *to);
  char *sorted = __builtin_mul_overflow(n, a->size, &bytes) ? NULL : malloc(bytes);
  if (from == NULL || to == NULL || sorted == NULL)
    upcr_fatal("thread %d: upc_all_sort of %lu elements of %lu bytes finds no memory",
               upcr_mythread, n, a->size);
  for (unsigned long i = 0; i < n; i++) from[i] = i;
  for (unsigned long width = 1; width < n; width *= 2) {
    for (unsigned long begin = 0; begin < n; begin += 2 * width) {
      unsigned long middle = n - begin < width ? n : begin + width;
      merge(a, to, from, begin, middle, n - begin < 2 * width ? n : begin + 2 * width);
    }
    unsigned long *merged = to;
    to = from;
    from = merged;
  }
  for (unsigned long i = 0; i < n; i++)
    upcr_get_bytes(sorted + i * a->size, element(a, from[i]).addr, a->size);
  for (unsigned long i = 0; i < n; i++)
    upcr_put_bytes(element(a, i).addr, sorted + i * a->size, a->size);
  free(from);
  free(to);
  free(sorted);
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
  if (upcr_mythread == 0 && n > 1 && size > 0) sort(&(struct array){p, size, block, compare}, n);
  upcr_synchronize(UPCR_AT_SORT, 0);
}
