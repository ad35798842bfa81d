/* Transport through mailboxes: a sender writes the words and then the message's number, which the
   receiver waits for. */
#include "transport.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* Looks for a message before the core is offered to others: an answer of an exchange of clocks
   arrives earlier where its sender has a core. */
#define LOOKS_BEFORE_YIELDING 2000

static void wait_until_at_least(long *number, long least) {
  for (int looks = 0; !shmem_long_test(number, SHMEM_CMP_GE, least); looks++)
    if (looks >= LOOKS_BEFORE_YIELDING) sched_yield();
}

/* Place of the `number`-th message, from 1, of a sender. */
static struct message *place_of(struct mailboxes *boxes, int sender, long number) {
  return &boxes->arrived[sender * MESSAGES_UNDER_WAY + (number - 1) % MESSAGES_UNDER_WAY];
}

static void send_words(void *context, int to, const uint64_t *words, int count) {
  struct mailboxes *boxes = context;
  long number = ++boxes->sent[to];
  struct message *place = place_of(boxes, shmem_my_pe(), number);
  wait_until_at_least(&boxes->taken[to], number - MESSAGES_UNDER_WAY);
  shmem_putmem(place->words, words, (size_t)count * sizeof *words, to);
  shmem_fence();
  shmem_long_p(&place->number, number, to);
  shmem_quiet(); /* a write may wait for more of them */
}

static void receive_words(void *context, int from, uint64_t *words, int count) {
  struct mailboxes *boxes = context;
  long number = ++boxes->received[from];
  struct message *place = place_of(boxes, from, number);
  wait_until_at_least(&place->number, number);
  memcpy(words, place->words, (size_t)count * sizeof *words);
  shmem_long_p(&boxes->taken[shmem_my_pe()], number, from);
  shmem_quiet();
}

static void meet(void *context) {
  (void)context;
  shmem_barrier_all();
}

static void end(void *context, int status) {
  (void)context;
  shmem_global_exit(status);
}

int pgas_transport_begin(struct mailboxes *boxes, pgas_transport *transport) {
  size_t pes = (size_t)shmem_n_pes();
  boxes->arrived = shmem_calloc(pes * MESSAGES_UNDER_WAY, sizeof *boxes->arrived);
  boxes->taken = shmem_calloc(pes, sizeof *boxes->taken);
  boxes->sent = calloc(pes, sizeof *boxes->sent);
  boxes->received = calloc(pes, sizeof *boxes->received);
  if (!boxes->arrived || !boxes->taken || !boxes->sent || !boxes->received) return -1;
  shmem_info_get_name(boxes->implementation);
  *transport = (pgas_transport){.context = boxes,
                                .thread = shmem_my_pe(),
                                .threads = shmem_n_pes(),
                                .model = "OpenSHMEM",
                                .implementation = boxes->implementation,
                                .send = send_words,
                                .receive = receive_words,
                                .barrier = meet,
                                .end = end};
  shmem_barrier_all();
  return 0;
}

void pgas_transport_finish(struct mailboxes *boxes) {
  shmem_barrier_all();
  shmem_free(boxes->taken);
  shmem_free(boxes->arrived);
  free(boxes->sent);
  free(boxes->received);
}
