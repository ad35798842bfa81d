/* One-sided operations of MPI instead of messages, if the user asks for them. With RDMA hardware
 * they need neither the target process nor its progress thread. Without, libraries emulate them and
 * wait until the target calls MPI, which it may not do for seconds while it computes. A trial at
 * the start tells the two apart. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cache.h"

int upcr_one_sided;

/* The target makes no MPI call for QUIET_NS. A read must complete within MOST_NS; if thread 0 then
 * waits at least PROOF_NS for the target's next call, the target was still quiet. On a busy machine
 * thread 0 may not get a core in time, hence several attempts. */
#define QUIET_NS 150000000u
#define MOST_NS 100000000u
#define PROOF_NS 5000000u
#define ATTEMPTS 3
#define ROUNDS 50
#define TAG 1
#define MARK(thread) (0x5043523100000000ul + (uint64_t)(thread))

static enum { OFF, ON, SAY } wanted;

void upcr_one_sided_settings(void) {
  const char *text = getenv("PGAS_ONE_SIDED");
  if (text == NULL || *text == 0 || strcmp(text, "0") == 0) return;
  wanted = strcmp(text, "1") == 0 ? ON : SAY;
  if (wanted == ON || strcmp(text, "say") == 0) return;
  upcr_say("PGAS_ONE_SIDED is '%.60s', but 0, 1 or say is expected", text);
  exit(2);
}

/* ---- The trial: thread 0 reads from the first thread of the second node ---- */

/* Time of one read in microseconds; negative if it took too long or returned a wrong value. */
static double read_time(int thread, uint64_t expected) {
  uint64_t value = 0, begin = upcr_now_ns(), now = begin;
  upcr_request request = upcr_transport_read(thread, &value, 0, sizeof value);
  while (!upcr_transport_test(&request, NULL, NULL)) now = upcr_now_ns();
  now = upcr_now_ns();
  return now - begin < MOST_NS && value == expected ? (double)(now - begin) / 1e3 : -1;
}

static double fastest_read(int thread) {
  double fastest = read_time(thread, MARK(thread));
  for (int i = 1; i < ROUNDS && fastest >= 0; i++) {
    double one = read_time(thread, MARK(thread));
    if (one < fastest) fastest = one;
  }
  return fastest;
}

static void await(upcr_request request) {
  while (!upcr_transport_test(&request, NULL, NULL)) sched_yield();
}

/* A round trip of messages while both poll, in microseconds. */
static double fastest_round_trip(int other, int begins) {
  uint64_t word = 0;
  double fastest = 1e9;
  for (int i = 0; i < ROUNDS; i++) {
    uint64_t begin = upcr_now_ns();
    if (begins) await(upcr_transport_send(other, TAG, &word, sizeof word));
    await(upcr_transport_receive(other, TAG, &word, sizeof word));
    if (!begins) await(upcr_transport_send(other, TAG, &word, sizeof word));
    double one = (double)(upcr_now_ns() - begin) / 1e3;
    if (one < fastest) fastest = one;
  }
  return fastest;
}

static void be_quiet(void) {
  struct timespec t = {0, QUIET_NS};
  nanosleep(&t, NULL);
}

/* Time of the fastest read while the target makes no call, in microseconds; negative if the
 * attempt proves nothing. */
static double quiet_read(int other) {
  double fastest = -1;
  upcr_agree(0);
  if (upcr_mythread == 0) fastest = fastest_read(other);
  else be_quiet();
  uint64_t begin = upcr_now_ns();
  upcr_agree(0);
  return upcr_now_ns() - begin > PROOF_NS ? fastest : -1;
}

/* Whether reads complete while the target makes no MPI call. On thread 0, `figures` is the time of
 * a read and of a message round trip, in words. */
static int try_it(char *figures, size_t size) {
  int other = upcr_world.first_of_node[1], works = 0;
  uint64_t *word = upcr_local(upcr_segment(upcr_mythread)), before = *word;
  double read = -1, round_trip = 0;
  __atomic_store_n(word, MARK(upcr_mythread), __ATOMIC_SEQ_CST);
  for (int i = 0; i < ATTEMPTS && !works; i++) {
    read = quiet_read(other);
    works = (int)upcr_agree(read >= 0);
  }
  *word = before;
  if (upcr_mythread == 0) round_trip = fastest_round_trip(other, 1);
  else if (upcr_mythread == other) fastest_round_trip(0, 0);
  snprintf(figures, size, "a read takes %.1f us, a message and its answer %.1f us", read,
           round_trip);
  return works;
}

/* ---- Beginning ---- */

/* Whether any process cannot expose its memory; `why` is the reason of the first that cannot. */
static int is_refused(const char *own, char *why, size_t size) {
  char mine[200], *all = calloc((size_t)upcr_threads, sizeof mine);
  snprintf(mine, sizeof mine, "%s", own != NULL ? own : "");
  if (all == NULL) return 1;
  upcr_transport_gather_all(mine, all, sizeof mine);
  int refused = 0;
  for (int t = upcr_threads - 1; t >= 0; t--)
    if (all[(size_t)t * sizeof mine] != 0) {
      refused = 1;
      snprintf(why, size, "%s", all + (size_t)t * sizeof mine);
    }
  free(all);
  return refused;
}

void upcr_one_sided_start(void) {
  /* Like all settings, that of thread 0 counts. */
  wanted = upcr_agree(wanted);
  if (wanted == OFF || upcr_world.nodes == 1) return;
  char why[200] = "", figures[200] = "";
  size_t bytes = upcr_common_heap + upcr_heap_bytes;
  const char *own = upcr_transport_expose(upcr_local(upcr_segment(upcr_mythread)), bytes);
  if (!is_refused(own, why, sizeof why) && !try_it(figures, sizeof figures))
    snprintf(why, sizeof why, "they wait for calls of the other process");
  upcr_one_sided = (int)upcr_agree(why[0] == 0);
  if (upcr_mythread != 0) return;
  if (!upcr_one_sided)
    upcr_say("PGAS_ONE_SIDED: messages are used, not one-sided operations of this MPI (%s): %s",
             upcr_world.library, why);
  else if (wanted == SAY)
    upcr_say("PGAS_ONE_SIDED: one-sided operations of this MPI (%s) are used: %s",
             upcr_world.library, figures);
}

/* ---- Reading and writing; inside the network ---- */

static size_t offset_of(upcr_addr_t addr) { return addr & UPCR_OFFSET_MASK; }

void upcr_one_sided_read(void *to, upcr_addr_t from, size_t bytes, upcr_completion *done,
                         void *argument) {
  int thread = upcr_thread_of(from);
  upcr_add_transfer(upcr_transport_read(thread, to, offset_of(from), bytes), done, argument, 0);
}

/* A write whose source may be reused, but which may not have reached its target yet. */
struct write {
  int thread;
  struct upcr_flag *done;
};

static void write_is_sent(void *argument, uint64_t unused) {
  (void)unused;
  struct write *w = argument;
  upcr_transport_complete_writes(w->thread);
  upcr_flag_set(w->done, 1);
  free(w);
}

void upcr_one_sided_write(upcr_addr_t to, const void *from, size_t bytes, struct upcr_flag *done) {
  struct write *w = malloc(sizeof *w);
  if (w == NULL) upcr_fatal("thread %d: no memory is left for a transfer", upcr_mythread);
  *w = (struct write){upcr_thread_of(to), done};
  upcr_add_transfer(upcr_transport_write(w->thread, from, offset_of(to), bytes), write_is_sent, w,
                    0);
}
