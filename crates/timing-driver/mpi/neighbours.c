/* Collective operations among the neighbours of a topology: a Cartesian grid or a graph. */
#include "families.h"

#if MPI_VERSION >= 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "blocks.h"

#define ARGUMENTS "topology=grid|graph dims=auto|DIMS periodic=yes|no degree=N " LAYOUT_ARGUMENTS
#define RISING "blocks=equal|rising "
#define DESCRIBE(data)                                                                           \
  data "; grid of dims (auto: two, or 4x2x2), or a graph where each sends to the next `degree` " \
       "ranks"

#define MOST_DIMENSIONS 8

/* ---- Grid ---- */

/* "4x2x2", or two dimensions that MPI chooses. Returns their number, -1 after a complaint. */
static int read_dimensions(const struct exchange *of, int *lengths) {
  const char *text = pgas_argument_text(of->with, "dims", "auto");
  if (!strcmp(text, "auto")) {
    MPI_Dims_create(of->size, 2, lengths);
    return 2;
  }
  long product = 1;
  int count = 0;
  for (char *end = (char *)text; count < MOST_DIMENSIONS; text = end + 1) {
    lengths[count] = (int)strtol(text, &end, 10);
    if (end == text || lengths[count] < 1 || lengths[count] > of->size) break;
    product *= lengths[count++];
    if (!*end && product == of->size) return count;
    if (*end != 'x') break;
  }
  pgas_complain(of->with, "dims=%s are not the dimensions of %d ranks; an example: %dx1",
                pgas_argument_text(of->with, "dims", "auto"), of->size, of->size);
  return -1;
}

static struct block neighbour(const struct exchange *of, int source, int destination, int index,
                              int or_index) {
  int peer = source == of->rank ? destination : source;
  int elements = peer == MPI_PROC_NULL ? 0 : pgas_elements_between(of, source, destination);
  return (struct block){peer, index, or_index, elements};
}

/* Neighbours are in order of dimensions, the one before this process first. A block that goes
   forward arrives from behind, and the other way round. Where both neighbours are one process, MPI
   did not say before 4.0 which of its blocks is which. */
static void plan_dimension(struct exchange *of, int dimension, int is_gather) {
  int before, after, first = 2 * dimension, second = first + 1;
  MPI_Cart_shift(of->comm, dimension, 1, &before, &after);
  int is_open = before == after;
  int from_before = is_gather ? 0 : second, from_after = is_gather ? 0 : first;
  struct block *in = of->receive.blocks, *out = of->send.blocks;
  in[first] = neighbour(of, before, of->rank, from_before, is_open ? from_after : from_before);
  in[second] = neighbour(of, after, of->rank, from_after, is_open ? from_before : from_after);
  if (is_gather) return;
  out[first] = neighbour(of, of->rank, before, 0, 0);
  out[second] = neighbour(of, of->rank, after, 0, 0);
}

static int plan_grid(struct exchange *of, int is_gather) {
  int lengths[MOST_DIMENSIONS] = {0}, around[MOST_DIMENSIONS];
  int count = read_dimensions(of, lengths);
  if (count < 0) return -1;
  for (int i = 0; i < count; i++) around[i] = pgas_argument_choice(of->with, "periodic") == 0;
  MPI_Cart_create(MPI_COMM_WORLD, count, lengths, around, 0, &of->comm);
  of->is_own_comm = 1;
  if (pgas_exchange_blocks(of, is_gather ? 1 : 2 * count, 2 * count)) return -1;
  for (int i = 0; i < count; i++) plan_dimension(of, i, is_gather);
  return 0;
}

/* ---- Graph ---- */

static int make_graph(struct exchange *of, int degree) {
  int *ranks = malloc(2 * (size_t)degree * sizeof *ranks);
  if (!ranks) {
    pgas_complain(of->with, "there is no memory for a graph of degree %d", degree);
    return -1;
  }
  for (int i = 0; i < degree; i++) {
    ranks[i] = (of->rank + of->size - 1 - i) % of->size;
    ranks[degree + i] = (of->rank + 1 + i) % of->size;
  }
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, degree, ranks, MPI_UNWEIGHTED, degree,
                                 ranks + degree, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &of->comm);
  of->is_own_comm = 1;
  free(ranks);
  return 0;
}

/* A single process is its own neighbour. */
static int plan_graph(struct exchange *of, int is_gather) {
  int most = of->size > 1 ? of->size - 1 : 1;
  int degree = (int)number_argument(of->with, "degree", most > 2 ? 2 : most, 1, most);
  if (degree < 0 || make_graph(of, degree) ||
      pgas_exchange_blocks(of, is_gather ? 1 : degree, degree))
    return -1;
  for (int i = 0; i < degree; i++) {
    int before = (of->rank + of->size - 1 - i) % of->size, after = (of->rank + 1 + i) % of->size;
    int index = is_gather ? 0 : i;
    of->receive.blocks[i] = neighbour(of, before, of->rank, index, index);
    if (!is_gather) of->send.blocks[i] = neighbour(of, of->rank, after, 0, 0);
  }
  return 0;
}

/* ---- Plans ---- */

static int is_graph(const struct exchange *of) {
  return pgas_argument_choice(of->with, "topology") == 1;
}

static int exchange_neighbours(struct exchange *of) {
  return is_graph(of) ? plan_graph(of, 0) : plan_grid(of, 0);
}

/* The size of a block depends on its sender alone, since all neighbours receive it. */
static int gather_neighbours(struct exchange *of) {
  if (is_graph(of) ? plan_graph(of, 1) : plan_grid(of, 1)) return -1;
  of->send.blocks[0].elements = pgas_elements_between(of, of->rank, 0);
  for (int i = 0; i < of->receive.count; i++) {
    struct block *block = &of->receive.blocks[i];
    if (block->peer != MPI_PROC_NULL) block->elements = pgas_elements_between(of, block->peer, 0);
  }
  return 0;
}

/* ---- Operations ---- */

/* Parameters of the functions of MPI. */
#define COUNT of->layout.elements
#define TYPE of->layout.type
#define FIRST(side) of->side.elements[0]
#define BLOCKS(side) of->side.elements, of->side.places, TYPE
#define TYPED(side) of->side.elements, of->side.addresses, of->side.types

BOTH_EXCHANGES(Neighbor_allgather, Ineighbor_allgather, gather_neighbours, 0,
               DESCRIBE("one block to all neighbours"), ARGUMENTS, send, COUNT, TYPE, receive,
               COUNT, TYPE)
BOTH_EXCHANGES(Neighbor_allgatherv, Ineighbor_allgatherv, gather_neighbours, 0,
               DESCRIBE("one block to all neighbours"), RISING ARGUMENTS, send, FIRST(send), TYPE,
               receive, BLOCKS(receive))
BOTH_EXCHANGES(Neighbor_alltoall, Ineighbor_alltoall, exchange_neighbours, 0,
               DESCRIBE("a block to each neighbour"), ARGUMENTS, send, COUNT, TYPE, receive, COUNT,
               TYPE)
BOTH_EXCHANGES(Neighbor_alltoallv, Ineighbor_alltoallv, exchange_neighbours, 0,
               DESCRIBE("a block to each neighbour"), RISING ARGUMENTS, send, BLOCKS(send), receive,
               BLOCKS(receive))
BOTH_EXCHANGES(Neighbor_alltoallw, Ineighbor_alltoallw, exchange_neighbours, 0,
               DESCRIBE("a block to each neighbour, with a type for each"), RISING ARGUMENTS, send,
               TYPED(send), receive, TYPED(receive))
#endif

const pgas_operation *const pgas_mpi_neighbours[] = {
#if MPI_VERSION >= 3
    LIST_BOTH(Neighbor_allgather, Ineighbor_allgather),
    LIST_BOTH(Neighbor_allgatherv, Ineighbor_allgatherv),
    LIST_BOTH(Neighbor_alltoall, Ineighbor_alltoall),
    LIST_BOTH(Neighbor_alltoallv, Ineighbor_alltoallv),
    LIST_BOTH(Neighbor_alltoallw, Ineighbor_alltoallw),
#endif
    NULL,
};
