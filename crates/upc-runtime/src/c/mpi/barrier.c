/* Barriers across nodes, including split-phase barriers. Threads of a node count their arrivals in
 * shared memory; the last one starts a dissemination barrier among the nodes, which the message
 * handlers carry on. So it proceeds while threads compute between upc_notify and upc_wait. Barrier
 * values and kinds of arrivals are compared on the way. */
#include <time.h>

#include "barrier_arrivals.h"
#include "network.h"

extern const char __executable_start[] __attribute__((weak));

/* Strings of the executable, as distances from its begin. */
const char *upcr_note_of(const char *text) {
  uintptr_t distance = (uintptr_t)text - (uintptr_t)__executable_start;
  return text != NULL && distance < 1ul << 31 ? (const char *)distance : NULL;
}
const char *upcr_text_of(const char *note) {
  return note == NULL ? NULL : (const char *)((uintptr_t)__executable_start + (uintptr_t)note);
}

static int rounds;

void upcr_barrier_start(void) {
  while ((1 << rounds) < upcr_world.nodes) rounds++;
}

/* ---- Between nodes ---- */

/* A pair of threads that have arrived at different things; none if `one` is negative. */
struct conflict {
  int one, other;
};

/* Has `other` be among those that `*representative` stands for. A named arrival can stand for
 * anonymous ones. */
static struct conflict join(int *representative, int other, uint32_t at) {
  const struct upcr_arrival *a = arrival_of(*representative, at), *b = arrival_of(other, at);
  if (differ(a, b)) return (struct conflict){*representative, other};
  if (b->named && !a->named) *representative = other;
  return (struct conflict){-1, -1};
}

static void tell(uint32_t at, int round, int representative) {
  int node = (upcr_world.node + (1 << round)) % upcr_world.nodes;
  const struct upcr_arrival *a = arrival_of(representative, at);
  struct upcr_message message = {
      .kind = UPCR_BARRIER,
      .word = {at | (uint64_t)round << 32 | (uint64_t)a->kind << 40 | (uint64_t)a->named << 48,
               (uint32_t)a->value | (uint64_t)representative << 32, (uint64_t)a->file,
               (uint32_t)a->line | (uint64_t)(uint32_t)a->status << 32}};
  upcr_send(upcr_world.first_of_node[node], &message, NULL, 0);
}

/* Goes on as far as this node can with what it has heard; inside the network and the guard. */
static struct conflict go_on(uint32_t at) {
  struct upcr_meeting_phase *phase = &upcr_control->meeting.phases[at & 1];
  struct conflict conflict = {-1, -1};
  if (!phase->is_here) return conflict;
  while (phase->round < rounds && (phase->heard & 1u << phase->round) != 0) {
    conflict = join(&phase->representative, phase->told[phase->round], at);
    if (conflict.one >= 0) return conflict;
    if (++phase->round < rounds) tell(at, phase->round, phase->representative);
  }
  if (phase->round < rounds) return conflict;
  phase->is_here = phase->round = 0;
  phase->heard = 0;
  upcr_flag_set(&upcr_control->released, at);
  return conflict;
}

void upcr_handle_barrier(int from, const struct upcr_message *message) {
  (void)from;
  const uint64_t *word = message->word;
  uint32_t at = (uint32_t)word[0];
  int round = word[0] >> 32 & 0xff, representative = (int)(word[1] >> 32);
  struct upcr_meeting *meeting = &upcr_control->meeting;
  upcr_guard_enter(&meeting->guard);
  struct upcr_arrival *a = arrival_of(representative, at);
  a->kind = (uint8_t)(word[0] >> 40);
  a->named = (uint8_t)(word[0] >> 48);
  a->value = (int)(uint32_t)word[1];
  a->file = (const char *)word[2];
  a->line = (int)(uint32_t)word[3];
  a->status = (int)(word[3] >> 32);
  meeting->phases[at & 1].told[round] = representative;
  meeting->phases[at & 1].heard |= 1u << round;
  struct conflict conflict = go_on(at);
  upcr_guard_leave(&meeting->guard);
  if (conflict.one >= 0) mismatch(conflict.one, conflict.other, at);
}

/* ---- On a node ---- */

static void all_are_here(uint32_t at) {
  struct upcr_meeting *meeting = &upcr_control->meeting;
  struct upcr_meeting_phase *phase = &meeting->phases[at & 1];
  int representative = upcr_world.node_first;
  for (int t = representative + 1; t < upcr_near_end(); t++) {
    struct conflict conflict = join(&representative, t, at);
    if (conflict.one >= 0) mismatch(conflict.one, conflict.other, at);
  }
  if (rounds == 0) {
    phase->representative = representative;
    upcr_flag_set(&upcr_control->released, at);
    return;
  }
  upcr_waiting++;
  upcr_network_enter();
  upcr_guard_enter(&meeting->guard);
  phase->representative = representative;
  phase->is_here = 1;
  tell(at, 0, representative);
  struct conflict conflict = go_on(at);
  upcr_guard_leave(&meeting->guard);
  upcr_network_leave();
  upcr_waiting--;
  if (conflict.one >= 0) mismatch(conflict.one, conflict.other, at);
}

int upcr_barrier_is_complete(uint32_t at) {
  return upcr_reached(atomic_load(&upcr_control->released.value), at);
}

static void arrive(enum upcr_kind kind, int named, int value, const char *file, int line,
                   int status) {
  upcr_settle_far();
  uint32_t at = ++epoch;
  struct upcr_arrival *mine = arrival_of(upcr_mythread, at);
  mine->kind = (uint8_t)kind;
  mine->named = named != 0;
  mine->value = value;
  mine->file = upcr_note_of(file);
  mine->line = line;
  mine->status = status;
  uint32_t before =
      atomic_fetch_add_explicit(&upcr_control->meeting.arrived, 1, memory_order_acq_rel);
  /* Counts go on from barrier to barrier. */
  if (before + 1 == at * (uint32_t)upcr_world.node_threads) all_are_here(at);
}

static void depart(void) {
  upcr_flag_await(&upcr_control->released, epoch, UPCR_FOR_BARRIER);
  upcr_collectives_finished = upcr_collectives;
  upcr_settle_far();
}

/* A thread that gave the latest barrier, which is complete, a value; -1 if none did. */
static int named_thread(void) {
  int thread = upcr_control->meeting.phases[epoch & 1].representative;
  return arrival_of(thread, epoch)->named ? thread : -1;
}

#include "barrier_entries.h"
