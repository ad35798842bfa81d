/* A program that runs out of memory and copes with it: from a number of allocations on (FAIL_AT, counted from the end of the
 * recorder's start), one or all of the allocations that are linked here fail. It goes through what makes the recorder
 * allocate: many places, many events, regions of its own, the end. Prints how many allocations there were. */
#include "program.h"
#include <errno.h>
#include <stdatomic.h>

static atomic_long count = -1;
static long fail_at = -1;
static int all;

static int fails(void) {
  if (atomic_load(&count) < 0) return 0;
  long number = atomic_fetch_add(&count, 1);
  return fail_at >= 0 && (all ? number >= fail_at : number == fail_at);
}

void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
int __real_posix_memalign(void **, size_t, size_t);
void *__wrap_malloc(size_t size) { return fails() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t number, size_t size) { return fails() ? NULL : __real_calloc(number, size); }
void *__wrap_realloc(void *memory, size_t size) { return fails() ? NULL : __real_realloc(memory, size); }
int __wrap_posix_memalign(void **memory, size_t alignment, size_t size) {
  return fails() ? ENOMEM : __real_posix_memalign(memory, alignment, size);
}

int main(void) {
  static char names[3000][16];
  const char *number = getenv("FAIL_AT");
  begin();
  fail_at = number ? atol(number) : -1;
  all = getenv("FAIL_ALL") != NULL;
  atomic_store(&count, 0);
  START(GASP_C_FUNC, 1, "main");
  unsigned event = gasp_create_event(context, "step", "%d");
  for (int i = 0; i < 3000; i++) {
    snprintf(names[i], sizeof names[i], "f%d", i);
    START(GASP_C_FUNC, i + 10, names[i]);
    if (i % 100 == 0) gasp_event_notify(context, event, GASP_START, "test.upc", 3, 0, i);
    for (int j = 0; j < 4; j++) {
      pts shared = {0, 64 * i};
      BOTH(GASP_UPC_GET, i + 10, 1, NULL, &shared, (size_t)8);
    }
    if (i % 100 == 0) gasp_event_notify(context, event, GASP_END, "test.upc", 3, 0, i);
    END(GASP_C_FUNC, i + 10, names[i]);
  }
  pts shared = {0, 4096};
  START(GASP_UPC_ALL_ALLOC, 5, (size_t)4, (size_t)8);
  END(GASP_UPC_ALL_ALLOC, 5, (size_t)4, (size_t)8, &shared);
  END(GASP_C_FUNC, 9, "main");
  START(GASP_UPC_COLLECTIVE_EXIT, 0, 0);
  END(GASP_UPC_COLLECTIVE_EXIT, 0, 0);
  long allocations = atomic_exchange(&count, -1);
  printf("%ld\n", allocations);
  return 0;
}
