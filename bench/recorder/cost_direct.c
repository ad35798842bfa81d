/* The recorder's own C interface. */
#include <pgas_measure.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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

enum { BATCH = 8 };

/* A stretch of a task that sends or receives some messages, and then waits. */
static void stretch(uint64_t task, int region, uint64_t first) {
  uint64_t message;

  pgas_enter_task(recorder, COST_FILE, (int)task, "task", task);
  for (message = first; message < first + BATCH; message++)
    pgas_record_channel_message(recorder, region, pgas_record_clock(recorder), COST_FILE,
                                20 + region, 1, message, 8, 1);
  pgas_record_channel_operation(recorder, region, pgas_record_clock(recorder), COST_FILE,
                                20 + region, 1);
  pgas_exit_task(recorder, region == PGAS_CHANNEL_SEND ? PGAS_TASK_SENDS : PGAS_TASK_RECEIVES);
}

/* A task that sends to another one on the same processor. */
static uint64_t messages(long rounds) {
  long round;

  for (round = 0; round < rounds; round++) {
    stretch(1, PGAS_CHANNEL_SEND, (uint64_t)round * BATCH);
    stretch(2, PGAS_CHANNEL_RECEIVE, (uint64_t)round * BATCH);
  }
  return (uint64_t)rounds * 4 * (BATCH + 2);
}

static void open_recorder(const char *directory) {
  setenv("PGAS_EXPERIMENT", directory, 1);
  recorder = pgas_open(0, COST_THREADS);
  if (recorder == NULL) cost_fail("the recorder cannot be opened in %s", directory);
}

static void close_recorder(void) { pgas_finish(recorder); }

const struct way direct_way = {
    "direct", open_recorder, {tiny_calls, mix, accesses, messages}, close_recorder};

/* The other threads of a program that runs on one node have pages, too: by these it is known whose
 * memory is near. */
static void with_pages_of_others(void (*act)(const char *path)) {
  char path[256];
  int thread;

  for (thread = 1; thread < COST_THREADS; thread++) {
    snprintf(path, sizeof path, "/dev/shm/pgas-live-bench%d-%d", (int)getpid(), thread);
    act(path);
  }
}

static void make(const char *path) {
  FILE *file = fopen(path, "w");

  if (file == NULL) cost_fail("%s: cannot create", path);
  fclose(file);
}

static void take_away(const char *path) { remove(path); }

/* The same calls, with a page that other processes can read. */
static void open_live(const char *directory) {
  char run[64];

  snprintf(run, sizeof run, "bench%d", (int)getpid());
  setenv("PGAS_RUN_ID", run, 1);
  setenv("PGAS_LIVE", "beside", 1);
  with_pages_of_others(make);
  open_recorder(directory);
}

static void close_live(void) {
  close_recorder();
  with_pages_of_others(take_away);
}

const struct way live_way = {"live", open_live, {tiny_calls, mix, accesses, messages}, close_live};
