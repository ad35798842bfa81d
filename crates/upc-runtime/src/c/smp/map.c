/* Mapping the segments of one machine, before the fork. They are anonymous shared memory, which has
 * no name that could be left behind, and no limit of a file system applies. */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/mman.h>

#include "runtime.h"

int upcr_map_segments(unsigned long bytes) {
  for (int t = 0; t < upcr_threads; t++) {
    void *want = (void *)upcr_segment(t);
    /* A kernel before 4.17 does not know MAP_FIXED_NOREPLACE and takes the address as a wish. */
    void *at = mmap(want, bytes, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (at == want) continue;
    int error = at == MAP_FAILED ? errno : EEXIST;
    if (at != MAP_FAILED) munmap(at, bytes);
    while (t-- > 0) munmap((void *)upcr_segment(t), bytes);
    return error;
  }
  return 0;
}
