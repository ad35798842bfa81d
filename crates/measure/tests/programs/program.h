/* What stands in for a UPC runtime in the tests' programs: one UPC thread, whose number comes from the environment, and
 * pointers-to-shared of this form. */
#include <gasp.h>
#include <gasp_upc.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  unsigned long thread, address;
} pts;

#ifndef OWN_MYTHREAD
int pgas_upc_mythread(void) {
  const char *number = getenv("TEST_THREAD");
  return number ? atoi(number) : 0;
}
#endif
int pgas_upc_threads(void) {
  const char *number = getenv("TEST_THREADS");
  return number ? atoi(number) : 1;
}
int pgas_upc_threadof(const void *p) { return (int)((const pts *)p)->thread; }
unsigned long pgas_upc_addrfield(const void *p) { return ((const pts *)p)->address; }

static __thread gasp_context_t context;

static inline void begin(void) { context = gasp_init(GASP_MODEL_UPC, NULL, NULL); }
#define START(tag, line, ...) gasp_event_notify(context, tag, GASP_START, "test.upc", line, 0, ##__VA_ARGS__)
#define END(tag, line, ...) gasp_event_notify(context, tag, GASP_END, "test.upc", line, 0, ##__VA_ARGS__)
#define BOTH(tag, line, ...) (START(tag, line, ##__VA_ARGS__), END(tag, line, ##__VA_ARGS__))
#define ATOMIC(tag, line, ...) gasp_event_notify(context, tag, GASP_ATOMIC, "test.upc", line, 0, ##__VA_ARGS__)

/* A call and return of a small function. */
static inline void call(void) {
  START(GASP_C_FUNC, 7, "small");
  END(GASP_C_FUNC, 8, "small");
}
