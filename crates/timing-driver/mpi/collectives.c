/* Broadcasts, gathers, scatters and exchanges among all processes. */
#include "blocks.h"
#include "families.h"

#define ARGUMENTS LAYOUT_ARGUMENTS
#define ROOTED "root=N " LAYOUT_ARGUMENTS
#define RISING "blocks=equal|rising "
#define RISING_HELP "; blocks: all of one size, or larger ones for higher ranks"

/* ---- Plans ---- */

static struct block incoming(const struct exchange *of, int peer, int index) {
  return (struct block){peer, index, index, pgas_elements_between(of, peer, of->rank)};
}

static struct block outgoing(const struct exchange *of, int peer) {
  return (struct block){peer, 0, 0, pgas_elements_between(of, of->rank, peer)};
}

static int broadcast(struct exchange *of) {
  if (pgas_exchange_blocks(of, 0, 1)) return -1;
  of->receive.blocks[0] = incoming(of, of->root, 0);
  return 0;
}

static int gather(struct exchange *of) {
  if (pgas_exchange_blocks(of, 1, of->rank == of->root ? of->size : 0)) return -1;
  of->send.blocks[0] = outgoing(of, of->root);
  for (int i = 0; i < of->receive.count; i++) of->receive.blocks[i] = incoming(of, i, 0);
  return 0;
}

static int scatter(struct exchange *of) {
  if (pgas_exchange_blocks(of, of->rank == of->root ? of->size : 0, 1)) return -1;
  for (int i = 0; i < of->send.count; i++) of->send.blocks[i] = outgoing(of, i);
  of->receive.blocks[0] = incoming(of, of->root, of->rank);
  return 0;
}

/* The size of a block depends on its sender alone, since all receive it. */
static int gather_all(struct exchange *of) {
  if (pgas_exchange_blocks(of, 1, of->size)) return -1;
  of->send.blocks[0] = (struct block){0, 0, 0, pgas_elements_between(of, of->rank, 0)};
  for (int i = 0; i < of->size; i++)
    of->receive.blocks[i] = (struct block){i, 0, 0, pgas_elements_between(of, i, 0)};
  return 0;
}

static int exchange_all(struct exchange *of) {
  if (pgas_exchange_blocks(of, of->size, of->size)) return -1;
  for (int i = 0; i < of->size; i++) {
    of->send.blocks[i] = outgoing(of, i);
    of->receive.blocks[i] = incoming(of, i, of->rank);
  }
  return 0;
}

/* ---- Operations ---- */

/* Parameters of the functions of MPI. */
#define COUNT of->layout.elements
#define TYPE of->layout.type
#define FIRST(side) of->side.elements[0]
#define BLOCKS(side) of->side.elements, of->side.places, TYPE
#define TYPED(side) of->side.elements, of->side.byte_places, of->side.types

BOTH_EXCHANGES(Bcast, Ibcast, broadcast, 1, "the root's message to all; " LAYOUT_HELP, ROOTED,
               receive, COUNT, TYPE, of->root)
BOTH_EXCHANGES(Gather, Igather, gather, 0, "a block of each to the root; " LAYOUT_HELP, ROOTED,
               send, COUNT, TYPE, receive, COUNT, TYPE, of->root)
BOTH_EXCHANGES(Gatherv, Igatherv, gather, 0, "a block of each to the root" RISING_HELP,
               RISING ROOTED, send, FIRST(send), TYPE, receive, BLOCKS(receive), of->root)
BOTH_EXCHANGES(Scatter, Iscatter, scatter, 0, "a block of the root to each; " LAYOUT_HELP, ROOTED,
               send, COUNT, TYPE, receive, COUNT, TYPE, of->root)
BOTH_EXCHANGES(Scatterv, Iscatterv, scatter, 0, "a block of the root to each" RISING_HELP,
               RISING ROOTED, send, BLOCKS(send), receive, FIRST(receive), TYPE, of->root)
BOTH_EXCHANGES(Allgather, Iallgather, gather_all, 0, "a block of each to all; " LAYOUT_HELP,
               ARGUMENTS, send, COUNT, TYPE, receive, COUNT, TYPE)
BOTH_EXCHANGES(Allgatherv, Iallgatherv, gather_all, 0, "a block of each to all" RISING_HELP,
               RISING ARGUMENTS, send, FIRST(send), TYPE, receive, BLOCKS(receive))
BOTH_EXCHANGES(Alltoall, Ialltoall, exchange_all, 0, "a block of each to each; " LAYOUT_HELP,
               ARGUMENTS, send, COUNT, TYPE, receive, COUNT, TYPE)
BOTH_EXCHANGES(Alltoallv, Ialltoallv, exchange_all, 0, "a block of each to each" RISING_HELP,
               RISING ARGUMENTS, send, BLOCKS(send), receive, BLOCKS(receive))
BOTH_EXCHANGES(Alltoallw, Ialltoallw, exchange_all, 0,
               "a block of each to each, with a type for each" RISING_HELP, RISING ARGUMENTS, send,
               TYPED(send), receive, TYPED(receive))

const pgas_operation *const pgas_mpi_collectives[] = {
    LIST_BOTH(Bcast, Ibcast),
    LIST_BOTH(Gather, Igather),
    LIST_BOTH(Gatherv, Igatherv),
    LIST_BOTH(Scatter, Iscatter),
    LIST_BOTH(Scatterv, Iscatterv),
    LIST_BOTH(Allgather, Iallgather),
    LIST_BOTH(Allgatherv, Iallgatherv),
    LIST_BOTH(Alltoall, Ialltoall),
    LIST_BOTH(Alltoallv, Ialltoallv),
    LIST_BOTH(Alltoallw, Ialltoallw),
    NULL,
};
