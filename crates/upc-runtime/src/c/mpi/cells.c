/* A few words of each thread by which a tool compares the clocks of nodes. A thread looks at its
 * own ones again and again, and writes those of others: one message each way is an exchange. */
#include "network.h"

static _Atomic uint64_t *cell(int thread, int number) {
  return &upcr_control->threads[thread].cells[number];
}

void upcr_handle_read_cell(int from, const struct upcr_message *message) {
  upcr_reply(from, message, atomic_load(cell(upcr_mythread, (int)message->word[0])), NULL, 0);
}

void upcr_handle_write_cell(int from, const struct upcr_message *message) {
  (void)from;
  atomic_store(cell(upcr_mythread, (int)message->word[0]), message->word[1]);
}

static void check(int thread, int number) {
  if (thread < 0 || thread >= upcr_threads || number < 0 || number >= UPCR_CELLS)
    upcr_fatal("thread %d: no word %d of thread %d for comparing clocks", upcr_mythread, number,
               thread);
}

uint64_t pgas_upc_read_cell(int thread, int number) {
  check(thread, number);
  upcr_waiting++;
  upcr_network_poll();
  uint64_t value;
  if (upcr_is_near_thread(thread)) {
    value = atomic_load(cell(thread, number));
  } else {
    struct upcr_message message = {.kind = UPCR_READ_CELL, .word = {(uint64_t)number}};
    struct upcr_pending pending = {.to = NULL};
    upcr_request_reply(thread, &message, NULL, 0, &pending);
    value = pending.word[0];
  }
  upcr_waiting--;
  return value;
}

void pgas_upc_write_cell(int thread, int number, uint64_t value) {
  check(thread, number);
  if (upcr_is_near_thread(thread)) {
    atomic_store(cell(thread, number), value);
    return;
  }
  struct upcr_message message = {.kind = UPCR_WRITE_CELL, .word = {(uint64_t)number, value}};
  upcr_waiting++;
  upcr_network_enter();
  upcr_send(thread, &message, NULL, 0);
  upcr_network_leave();
  upcr_waiting--;
}
