/* The recorder's own C interface. */
#include <pgas_measure.h>
#include <stdlib.h>

#include "cost.h"

static pgas_recorder *recorder;

#define ENTER(function, line) pgas_enter(recorder, PGAS_FUNCTION, COST_FILE, line, #function)
#define EXIT(function) pgas_exit(recorder, PGAS_FUNCTION, #function)
#define GET(partner, bytes)                                                    \
  do {                                                                         \
    pgas_enter_transfer(recorder, PGAS_MEMGET, COST_FILE, 11, partner, bytes); \
    pgas_exit(recorder, PGAS_MEMGET, NULL);                                    \
  } while (0)
#define PUT(partner, bytes)                                                    \
  do {                                                                         \
    pgas_enter_transfer(recorder, PGAS_MEMPUT, COST_FILE, 12, partner, bytes); \
    pgas_exit(recorder, PGAS_MEMPUT, NULL);                                    \
  } while (0)
#define BARRIER(value)                                                  \
  do {                                                                  \
    pgas_enter_barrier(recorder, PGAS_NOTIFY, COST_FILE, 14, 1, value); \
    pgas_exit(recorder, PGAS_NOTIFY, NULL);                             \
    pgas_enter_barrier(recorder, PGAS_WAIT, COST_FILE, 15, 1, value);   \
    pgas_exit(recorder, PGAS_WAIT, NULL);                               \
  } while (0)
#include "stream.h"

static void open_recorder(const char *directory) {
  setenv("PGAS_EXPERIMENT", directory, 1);
  recorder = pgas_open(0, COST_THREADS);
  if (recorder == NULL) cost_fail("the recorder cannot be opened in %s", directory);
}

static void close_recorder(void) { pgas_finish(recorder); }

const struct way direct_way = {
    "direct", open_recorder, {tiny_calls, mix, accesses}, close_recorder};
