/* Messages from one node to all others along a binomial tree: each node passes them on to its
 * children, so a root sends to log2(nodes) of them, however many there are. */
#include "network.h"

int upcr_tree_children(int root, int *leaders) {
  int nodes = upcr_world.nodes, own = (upcr_world.node - root + nodes) % nodes, count = 0;
  /* The parent of a node is its number less the highest bit; the largest subtree comes first. */
  for (int step = 1; step < nodes - own; step *= 2)
    if (step > own) leaders[count++] = upcr_world.first_of_node[(root + own + step) % nodes];
  return count;
}

void upcr_send_down(int root, const struct upcr_message *message, const void *payload,
                    size_t bytes) {
  int leaders[UPCR_TREE_CHILDREN], count = upcr_tree_children(root, leaders);
  for (int i = 0; i < count; i++) upcr_send(leaders[i], message, payload, bytes);
}
