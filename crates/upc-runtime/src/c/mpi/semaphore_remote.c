/* Semaphores for threads of other nodes. The process of the thread that allocated a semaphore keeps
 * a list of those that wait for it elsewhere, and answers them when its value allows. */
#include <stdlib.h>

#include "network.h"

struct waiter {
  struct waiter *next;
  int thread;
  struct upcr_message request;
};
/* In the order in which they came; inside the network. */
static struct waiter *waiters;

/* ---- At the owner ---- */

static void enlist(int from, const struct upcr_message *message) {
  struct waiter *w = malloc(sizeof *w), **end = &waiters;
  if (w == NULL) upcr_fatal("thread %d: no memory is left for a semaphore's queue", upcr_mythread);
  *w = (struct waiter){NULL, from, *message};
  while (*end != NULL) end = &(*end)->next;
  *end = w;
}

static void serve(upcr_addr_t semaphore) {
  for (struct waiter **at = &waiters; *at != NULL;) {
    struct waiter *w = *at;
    if (w->request.word[0] != semaphore ||
        !upcr_semaphore_take_late(semaphore, w->request.word[1])) {
      at = &w->next;
      continue;
    }
    *at = w->next;
    upcr_reply(w->thread, &w->request, 1, NULL, 0);
    free(w);
  }
}

void upcr_handle_semaphore(int from, const struct upcr_message *message) {
  upcr_addr_t addr = message->word[0];
  unsigned long n = message->word[1];
  upcr_acting_for = from + 1;
  switch (message->word[2]) {
    case UPCR_SEMAPHORE_POST: upcr_semaphore_post_here(upcr_make(addr, 0), n, message->payload); break;
    case UPCR_SEMAPHORE_FREE: upcr_semaphore_free(upcr_make(addr, 0)); break;
    case UPCR_SEMAPHORE_SERVE: serve(addr); break;
    case UPCR_SEMAPHORE_TRY:
      upcr_reply(from, message,
                 (uint64_t)upcr_semaphore_take(upcr_make(addr, 0), n, 0, message->payload), NULL, 0);
      break;
    case UPCR_SEMAPHORE_WAIT:
      if (upcr_semaphore_take(upcr_make(addr, 0), n, 1, message->payload))
        upcr_reply(from, message, 1, NULL, 0);
      else enlist(from, message);
  }
  upcr_acting_for = 0;
  if (message->word[2] == UPCR_SEMAPHORE_POST || message->word[2] == UPCR_SEMAPHORE_FREE)
    upcr_acknowledge(from, message);
}

void upcr_serve_far_waiters(upcr_addr_t semaphore) {
  struct upcr_message message = {.kind = UPCR_SEMAPHORE,
                                 .word = {semaphore, 0, UPCR_SEMAPHORE_SERVE}};
  int owner = upcr_thread_of(semaphore), was_inside = upcr_network_is_inside();
  if (!was_inside) upcr_network_enter();
  if (owner == upcr_mythread) serve(semaphore);
  else upcr_send(owner, &message, NULL, 0);
  if (!was_inside) upcr_network_leave();
}

/* ---- Elsewhere ---- */

static void tell(upcr_pts semaphore, unsigned long n, uint64_t what, const char *call) {
  struct upcr_message message = {.kind = UPCR_SEMAPHORE, .word = {semaphore.addr, n, what}};
  upcr_far_write_later(upcr_thread_of(semaphore.addr), &message, call, strlen(call) + 1);
}

void upcr_far_post(upcr_pts semaphore, unsigned long n, const char *call) {
  tell(semaphore, n, UPCR_SEMAPHORE_POST, call);
}

void upcr_far_free_semaphore(upcr_pts semaphore) {
  tell(semaphore, 0, UPCR_SEMAPHORE_FREE, "bupc_sem_free");
}

int upcr_far_take(upcr_pts semaphore, unsigned long n, int waits, const char *call) {
  struct upcr_message message = {
      .kind = UPCR_SEMAPHORE,
      .word = {semaphore.addr, n, waits ? UPCR_SEMAPHORE_WAIT : UPCR_SEMAPHORE_TRY}};
  struct upcr_pending pending = {.to = NULL};
  upcr_settle_far();
  upcr_request_reply(upcr_thread_of(semaphore.addr), &message, call, strlen(call) + 1, &pending);
  return (int)pending.word[0];
}
