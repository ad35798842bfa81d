/* GASP's interface with a variable number of arguments, through the decoder that programs are
 * linked with; and what stands in for the UPC side that the decoder asks about pointers-to-shared.
 */
#include <gasp.h>
#include <gasp_upc.h>
#include <stdlib.h>

#include "cost.h"

typedef struct {
  unsigned long thread, address;
} pointer_to_shared;

int pgas_upc_mythread(void) { return 0; }
int pgas_upc_threads(void) { return COST_THREADS; }
int pgas_upc_threadof(const void *p) { return (int)((const pointer_to_shared *)p)->thread; }
unsigned long pgas_upc_addrfield(const void *p) { return ((const pointer_to_shared *)p)->address; }

static gasp_context_t context;
/* Each transfer begins where the one before it may have ended. */
static unsigned long place = 4096;

#define START(tag, line, ...) \
  gasp_event_notify(context, tag, GASP_START, COST_FILE, line, 0, __VA_ARGS__)
#define END(tag, line, ...) \
  gasp_event_notify(context, tag, GASP_END, COST_FILE, line, 0, __VA_ARGS__)
#define ENTER(function, line) START(GASP_C_FUNC, line, #function)
#define EXIT(function) END(GASP_C_FUNC, 0, #function)
#define GET(partner, bytes)                                             \
  do {                                                                  \
    pointer_to_shared shared = {(unsigned long)(partner), place += 8};  \
    START(GASP_UPC_MEMGET, 11, (void *)NULL, &shared, (size_t)(bytes)); \
    END(GASP_UPC_MEMGET, 11, (void *)NULL, &shared, (size_t)(bytes));   \
  } while (0)
#define PUT(partner, bytes)                                             \
  do {                                                                  \
    pointer_to_shared shared = {(unsigned long)(partner), place += 8};  \
    START(GASP_UPC_MEMPUT, 12, &shared, (void *)NULL, (size_t)(bytes)); \
    END(GASP_UPC_MEMPUT, 12, &shared, (void *)NULL, (size_t)(bytes));   \
  } while (0)
#define BARRIER(value)                    \
  do {                                    \
    START(GASP_UPC_NOTIFY, 14, 1, value); \
    END(GASP_UPC_NOTIFY, 14, 1, value);   \
    START(GASP_UPC_WAIT, 15, 1, value);   \
    END(GASP_UPC_WAIT, 15, 1, value);     \
  } while (0)
#include "stream.h"

static void open_context(const char *directory) {
  setenv("PGAS_EXPERIMENT", directory, 1);
  context = gasp_init(GASP_MODEL_UPC, NULL, NULL);
}

static void open_with_addresses(const char *directory) {
  setenv("PGAS_ADDRESSES", "1", 1);
  open_context(directory);
}

/* The decoder has no call for the end of a thread: a program of a runtime that emits GASP ends by
 * exit, or by this. */
static void close_context(void) {
  gasp_event_notify(context, GASP_UPC_NONCOLLECTIVE_EXIT, GASP_ATOMIC, COST_FILE, 16, 0, 0);
}

const struct way gasp_way = {"gasp", open_context, {tiny_calls, mix, accesses}, close_context};
const struct way addresses_way = {
    "addresses", open_with_addresses, {tiny_calls, mix, accesses}, close_context};
