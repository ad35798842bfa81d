/* A program that runs out of memory and copes with it: from a number of requests on (FAIL_AT, counted from the beginning of main), one
 * or all of those that are linked here fail. FAIL_WHAT says which kind of them: "memory", "mapping" or "thread". It goes through what
 * makes the recorder allocate: its start, many places, many events, regions of its own, the end. Prints how many requests of that kind
 * there were at the start of the recorder, and all in all. */
#include "program.h"
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

enum kind { NONE, MEMORY, MAPPING, THREAD };

static atomic_long count = -1;
static long fail_at = -1;
static int all;
static enum kind what = MEMORY;

static int fails(enum kind kind) {
  if (kind != what || atomic_load(&count) < 0) return 0;
  long number = atomic_fetch_add(&count, 1);
  return fail_at >= 0 && (all ? number >= fail_at : number == fail_at);
}

void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
int __real_posix_memalign(void **, size_t, size_t);
void *__wrap_malloc(size_t size) { return fails(MEMORY) ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t number, size_t size) { return fails(MEMORY) ? NULL : __real_calloc(number, size); }
void *__wrap_realloc(void *memory, size_t size) { return fails(MEMORY) ? NULL : __real_realloc(memory, size); }
int __wrap_posix_memalign(void **memory, size_t alignment, size_t size) {
  return fails(MEMORY) ? ENOMEM : __real_posix_memalign(memory, alignment, size);
}
void *__real_mmap(void *, size_t, int, int, int, off_t);
void *__wrap_mmap(void *at, size_t length, int protection, int flags, int file, off_t offset) {
  if (!fails(MAPPING)) return __real_mmap(at, length, protection, flags, file, offset);
  errno = ENOMEM;
  return MAP_FAILED;
}
int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
  return fails(THREAD) ? EAGAIN : __real_pthread_create(thread, attributes, run, argument);
}

int main(void) {
  static char names[3000][16];
  const char *number = getenv("FAIL_AT");
  const char *kind = getenv("FAIL_WHAT");
  if (kind) what = !strcmp(kind, "mapping") ? MAPPING : !strcmp(kind, "thread") ? THREAD : MEMORY;
  fail_at = number ? atol(number) : -1;
  all = getenv("FAIL_ALL") != NULL;
  atomic_store(&count, 0);
  begin();
  long at_start = atomic_load(&count);
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
  long requests = atomic_exchange(&count, -1);
  printf("%ld %ld\n", at_start, requests);
  return 0;
}
