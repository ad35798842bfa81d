/* Partial results of reductions on their way to other nodes. The first process of a node sends
 * those of its node; where they are wanted they appear in the control block as if the threads were
 * there. */
#include <time.h>

#include "collective.h"
#include "network.h"

/* As many as fit into a message. */
#define MOST 256
_Static_assert(MOST * sizeof(struct {
                 int present;
                 unsigned char value[16];
               }) <=
                   UPCR_MESSAGE_BYTES - sizeof(struct upcr_message),
               "partial results fit into a message");

struct sent {
  int present;
  unsigned char value[16];
};

void upcr_handle_partials(int from, const struct upcr_message *message) {
  (void)from;
  const struct sent *sent = (const struct sent *)message->payload;
  uint32_t collective = (uint32_t)message->word[0];
  int first = (int)message->word[1], count = (int)(message->bytes / sizeof *sent);
  for (int i = 0; i < count; i++) {
    struct upcr_partial *partial =
        &upcr_control->threads[first + i].partials[collective % UPCR_PARTIALS];
    partial->present = sent[i].present;
    memcpy(partial->value, sent[i].value, sizeof partial->value);
    upcr_flag_set(&partial->ready, collective);
  }
}

static void send(int node, int first, const struct sent *sent, int count) {
  struct upcr_message message = {.kind = UPCR_PARTIALS_OF_NODE,
                                 .word = {upcr_collectives, (uint64_t)first}};
  upcr_send(upcr_world.first_of_node[node], &message, sent, (size_t)count * sizeof *sent);
}

void upcr_send_partials(int root) {
  if (upcr_world.nodes == 1 || !upcr_is_leader()) return;
  int to = root == UPCR_ALL ? -1 : upcr_node_of(root);
  if (to == upcr_world.node) return;
  struct sent sent[MOST];
  for (int first = upcr_near_first(), count; first < upcr_near_end(); first += count) {
    count = upcr_near_end() - first < MOST ? upcr_near_end() - first : MOST;
    for (int i = 0; i < count; i++) {
      struct upcr_partial *partial =
          &upcr_control->threads[first + i].partials[upcr_collectives % UPCR_PARTIALS];
      upcr_flag_await(&partial->ready, upcr_collectives, UPCR_FOR_COLLECTIVE);
      sent[i].present = partial->present;
      memcpy(sent[i].value, partial->value, sizeof sent[i].value);
    }
    upcr_network_enter();
    for (int node = 0; node < upcr_world.nodes; node++)
      if (node != upcr_world.node && (to < 0 || node == to)) send(node, first, sent, count);
    upcr_network_leave();
  }
}
