/* Buffers, calls and checks of collective operations that move blocks. */
#include "blocks.h"

#include <limits.h>
#include <stdlib.h>

#include "arguments.h"
#include "memory.h"
#include "state.h"

/* ---- Plan ---- */

static int side_blocks(struct side *side, int count) {
  size_t many = (size_t)count + 1; /* none is no failure */
  side->count = count;
  side->blocks = calloc(many, sizeof *side->blocks);
  side->elements = calloc(many, sizeof *side->elements);
  side->places = calloc(many, sizeof *side->places);
  side->byte_places = calloc(many, sizeof *side->byte_places);
  side->addresses = calloc(many, sizeof *side->addresses);
  side->types = calloc(many, sizeof *side->types);
  return side->blocks && side->elements && side->places && side->byte_places && side->addresses &&
         side->types;
}

int pgas_exchange_blocks(struct exchange *exchange, int sent, int received) {
  if (side_blocks(&exchange->send, sent) && side_blocks(&exchange->receive, received)) return 0;
  pgas_complain(exchange->with, "there is no memory for the plan of %d blocks", sent + received);
  return -1;
}

int pgas_elements_between(const struct exchange *exchange, int source, int destination) {
  long elements = exchange->layout.elements;
  int share = (source + destination) % exchange->size;
  if (!exchange->is_rising) return (int)elements;
  return (int)(elements * 2 * (share + 1) / (exchange->size + 1));
}

/* Arrays of calls whose blocks have each its own size, place and type. */
static void describe_blocks(struct side *side, const struct exchange *of) {
  for (int i = 0; i < side->count; i++) {
    side->elements[i] = side->blocks[i].elements;
    side->places[i] = i * of->slot;
    side->addresses[i] = (MPI_Aint)i * of->slot * (MPI_Aint)of->layout.extent;
    side->byte_places[i] = (int)side->addresses[i];
    side->types[i] = of->layout.type;
  }
}

static int places_fit(const struct exchange *of, int blocks) {
  if ((double)blocks * of->slot * (double)of->layout.extent <= INT_MAX) return 1;
  pgas_complain(of->with, "%d blocks of %zu bytes: places do not fit into an int", blocks,
                of->with->bytes);
  return 0;
}

/* ---- Buffers ---- */

static size_t slot_bytes(const struct exchange *of) { return (size_t)of->slot * of->layout.extent; }

static void fill_blocks(const struct exchange *of, const struct buffers *buffers, int blocks) {
  for (int buffer = 0; buffer < buffers->count; buffer++)
    for (int block = 0; block < blocks; block++) {
      struct pattern pattern = {of->rank, block, buffer};
      pgas_layout_fill(&of->layout, buffer_at(buffers, buffer) + (size_t)block * slot_bytes(of),
                       of->slot, pattern);
    }
}

static int make_buffers(struct exchange *of) {
  int widest = of->send.count > of->receive.count ? of->send.count : of->receive.count;
  MPI_Allreduce(MPI_IN_PLACE, &widest, 1, MPI_INT, MPI_MAX, of->comm);
  if (!places_fit(of, widest)) return -1;
  int count = count_of_buffers(of->with->buffers, widest);
  if (buffers_make(&of->send.buffers, of->with, count, (size_t)of->send.count * slot_bytes(of)) ||
      buffers_make(&of->receive.buffers, of->with, count,
                   (size_t)of->receive.count * slot_bytes(of)))
    return -1;
  if (of->slot) fill_blocks(of, &of->send.buffers, of->send.count);
  if (of->slot && of->kind->is_in_place && of->rank == of->root)
    fill_blocks(of, &of->receive.buffers, 1);
  return 0;
}

/* ---- Life of an operation ---- */

static int prepare(struct exchange *of) {
  of->root = (int)number_argument(of->with, "root", 0, 0, of->size - 1);
  if (of->root < 0 || pgas_layout_make(&of->layout, of->with)) return -1;
  of->is_rising = pgas_argument_choice(of->with, "blocks") == 1;
  of->slot = of->layout.elements * (of->is_rising ? 2 : 1);
  if (of->kind->plan(of) || make_buffers(of)) return -1;
  describe_blocks(&of->send, of);
  describe_blocks(&of->receive, of);
  return 0;
}

void *pgas_exchange_prepare(const pgas_case *with, const struct exchange_kind *kind) {
  struct exchange *of = state_of(with, sizeof *of);
  if (!of) return NULL;
  *of = (struct exchange){.with = with, .kind = kind, .comm = MPI_COMM_WORLD};
  of->layout.type = MPI_BYTE;
  MPI_Comm_rank(of->comm, &of->rank);
  MPI_Comm_size(of->comm, &of->size);
  if (!prepare(of)) return of;
  pgas_exchange_finish(of);
  return NULL;
}

void pgas_exchange_start(void *state, long launch) {
  struct exchange *of = state;
  of->kind->begin(of, buffer_at(&of->send.buffers, launch), buffer_at(&of->receive.buffers, launch),
                  &of->request);
}

void pgas_exchange_complete(void *state, long launch) {
  struct exchange *of = state;
  (void)launch;
  MPI_Wait(&of->request, MPI_STATUS_IGNORE);
}

void pgas_exchange_run(void *state, long launch) {
  struct exchange *of = state;
  if (of->kind->call) {
    of->kind->call(of, buffer_at(&of->send.buffers, launch),
                   buffer_at(&of->receive.buffers, launch));
    return;
  }
  pgas_exchange_start(state, launch);
  pgas_exchange_complete(state, launch);
}

static void side_free(struct side *side) {
  free(side->blocks);
  free(side->elements);
  free(side->places);
  free(side->byte_places);
  free(side->addresses);
  free(side->types);
  buffers_free(&side->buffers);
}

void pgas_exchange_finish(void *state) {
  struct exchange *of = state;
  side_free(&of->send);
  side_free(&of->receive);
  if (of->layout.type != MPI_BYTE) pgas_layout_free(&of->layout);
  if (of->is_own_comm) MPI_Comm_free(&of->comm);
  free(of);
}

/* ---- Check ---- */

static int check_block(const struct exchange *of, int number, int buffer, const char *memory) {
  const struct block *block = &of->receive.blocks[number];
  struct pattern right = {block->peer, block->index, buffer};
  struct pattern or_right = {block->peer, block->or_index, buffer};
  if (block->peer == MPI_PROC_NULL) return 0;
  long place = pgas_layout_differs(&of->layout, memory, block->elements, right);
  if (place < 0) return 0;
  if (pgas_layout_differs(&of->layout, memory, block->elements, or_right) < 0) return 0;
  pgas_complain(of->with, "rank %d: byte %ld of block %d, from rank %d, is wrong", of->rank, place,
                number, block->peer);
  return -1;
}

int pgas_exchange_check(void *state, long launch) {
  const struct exchange *of = state;
  const char *memory = buffer_at(&of->receive.buffers, launch);
  int buffer = buffer_of(&of->receive.buffers, launch);
  if (!of->slot) return 0;
  for (int block = 0; block < of->receive.count; block++)
    if (check_block(of, block, buffer, memory + (size_t)block * slot_bytes(of))) return -1;
  return 0;
}
