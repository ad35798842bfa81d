/* Broadcasts over several nodes: the root sends its data to each other node once, whose first
 * process puts it where all threads of the node want it. So nobody asks the root, and it need not
 * wait. */
#include "collective.h"
#include "network.h"

static struct upcr_flag *flag_of(uint32_t collective) {
  return &upcr_control->broadcasts[collective % UPCR_PARTIALS];
}

/* The place of a thread in a destination that begins at `to`; see block() in collective.c. */
static upcr_addr_t place(upcr_addr_t to, int thread, unsigned long bytes) {
  unsigned long round = thread < upcr_thread_of(to) ? 1 : 0;
  return upcr_segment(thread) + (to & UPCR_OFFSET_MASK) + round * bytes;
}

int upcr_is_broadcast_sent(unsigned long bytes) {
  return upcr_world.nodes > 1 && bytes <= UPCR_PAYLOAD_BYTES;
}

void upcr_handle_broadcast(int from, const struct upcr_message *message) {
  (void)from;
  upcr_addr_t to = message->word[1];
  for (int t = upcr_near_first(); t < upcr_near_end(); t++)
    memcpy(upcr_local(place(to, t, message->bytes)), message->payload, message->bytes);
  upcr_flag_set(flag_of((uint32_t)message->word[0]), (uint32_t)message->word[0]);
}

static void send_to_other_nodes(upcr_addr_t to, upcr_addr_t from, unsigned long bytes) {
  struct upcr_message message = {.kind = UPCR_BROADCAST, .word = {upcr_collectives, to}};
  upcr_waiting++; /* soon, as a rule */
  upcr_network_enter();
  for (int k = 1; k < upcr_world.nodes; k++) {
    int node = (upcr_world.node + k) % upcr_world.nodes;
    upcr_send(upcr_world.first_of_node[node], &message, upcr_local(from), bytes);
  }
  upcr_network_leave();
  upcr_waiting--;
}

void upcr_share_broadcast(upcr_pts to, upcr_addr_t from, unsigned long bytes) {
  if (!upcr_is_near(from)) {
    upcr_flag_await(flag_of(upcr_collectives), upcr_collectives, UPCR_FOR_COLLECTIVE);
    return;
  }
  if (upcr_thread_of(from) == upcr_mythread) send_to_other_nodes(to.addr, from, bytes);
  upcr_addr_t own = place(to.addr, upcr_mythread, bytes);
  if (own != from) memmove(upcr_local(own), upcr_local(from), bytes);
}
