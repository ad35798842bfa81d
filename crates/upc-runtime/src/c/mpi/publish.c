/* How thread 0 tells the others the result of an allocation that all make together. It publishes
 * and goes on; the others wait for it, but not for each other. Each node has a list of what was
 * published, so that thread 0 may be any number of them ahead; the first process of a node enters
 * what comes from thread 0. The last thread of a node that leaves a publication frees it. */
#include <time.h>

#include "network.h"

#define CALL "a collective allocation"

/* The latest publication that this thread has read, or made. */
static struct upcr_publication *current;

/* On each node by one process alone. */
static void enter(upcr_addr_t value) {
  struct upcr_publication *last = upcr_control->last_publication;
  if (last == NULL) last = &upcr_control->first_publication;
  struct upcr_publication *next =
      upcr_local(upcr_heap_local(upcr_world.node_first, sizeof(struct upcr_publication), CALL));
  memset(next, 0, sizeof *next);
  next->value = value;
  last->next = next;
  upcr_control->last_publication = next;
  upcr_flag_set(&last->published, 1);
}

/* From node to node, beginning with thread 0's. Inside the network. */
static void pass_on(upcr_addr_t value) {
  struct upcr_message message = {.kind = UPCR_PUBLISH, .word = {value}};
  upcr_send_down(0, &message, NULL, 0);
}

void upcr_handle_publish(int from, const struct upcr_message *message) {
  (void)from;
  pass_on(message->word[0]);
  enter(message->word[0]);
}

static void tell_other_nodes(upcr_addr_t value) {
  upcr_network_enter();
  pass_on(value);
  upcr_network_leave();
}

upcr_addr_t upcr_publish(upcr_addr_t value) {
  struct upcr_publication *from = current != NULL ? current : &upcr_control->first_publication;
  upcr_settle_far();
  if (upcr_mythread == 0) {
    enter(value);
    tell_other_nodes(value);
  } else {
    upcr_flag_await(&from->published, 1, UPCR_FOR_PUBLICATION);
  }
  current = from->next;
  value = current->value;
  if (atomic_fetch_add(&from->leavers, 1) + 1 == (uint32_t)upcr_world.node_threads &&
      from != &upcr_control->first_publication)
    upcr_heap_free(upcr_make((upcr_addr_t)from, 0), CALL);
  return value;
}
