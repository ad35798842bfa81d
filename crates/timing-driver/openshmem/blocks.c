/* Buffers, calls and checks of collective operations that move blocks. */
#include "blocks.h"

#include <stdlib.h>

#include "arguments.h"
#include "state.h"

/* Words of the largest array for synchronisation. */
#define SYNC_WORDS                                                              \
  (SHMEM_COLLECT_SYNC_SIZE + SHMEM_BCAST_SYNC_SIZE + SHMEM_ALLTOALL_SYNC_SIZE + \
   SHMEM_ALLTOALLS_SYNC_SIZE)

/* ---- Measures ---- */

size_t collective_elements(const struct collective *of, int index) {
  if (!of->is_rising) return of->elements;
  return of->elements * 2 * (size_t)(index + 1) / ((size_t)of->group.size + 1);
}

static size_t block_bytes(const struct collective *of, size_t elements) {
  return elements * of->layout.width * of->layout.stride;
}

static int is_broadcast(const struct collective *of) {
  return of->kind->shape == FROM_ROOT || of->kind->shape == FROM_ROOT_TO_ALL;
}

static int sent_blocks(const struct collective *of) {
  return of->kind->shape == EACH_TO_EACH ? of->group.size : 1;
}

static int received_blocks(const struct collective *of) {
  return is_broadcast(of) ? 1 : of->group.size;
}

/* ---- Life of an operation ---- */

static int make_group(struct collective *of) {
#if HAS_OPENSHMEM(1, 5)
  if (of->kind->has_team) return group_of_team(&of->group, of->with);
#endif
  return group_of_set(&of->group, of->with, SYNC_WORDS);
}

static int read_arguments(struct collective *of) {
  const pgas_case *with = of->with;
  of->root = (int)number_argument(with, "root", 0, 0, of->group.size - 1);
  of->is_rising = pgas_argument_choice(with, "blocks") == 1;
  long stride = of->kind->is_strided ? number_argument(with, "stride", 2, 1, 1 << 20) : 1;
  if (of->root < 0 || stride < 0) return -1;
  of->layout = (struct strided){(size_t)of->kind->width, (size_t)stride};
  of->elements = with->bytes / of->layout.width;
  if (with->bytes % of->layout.width == 0) return 0;
  pgas_complain(with, "a size of %zu bytes is no number of elements of %zu bytes", with->bytes,
                of->layout.width);
  return -1;
}

static void fill(const struct collective *of) {
  size_t elements = collective_elements(of, of->group.index);
  const struct buffers *source = &of->sides.source;
  for (int buffer = 0; buffer < source->count; buffer++)
    for (int block = 0; block < sent_blocks(of); block++) {
      struct pattern pattern = {of->with->thread, block, buffer};
      char *memory = buffer_at(source, buffer) + (size_t)block * block_bytes(of, elements);
      strided_fill(of->layout, memory, elements * of->layout.width, pattern);
    }
}

static int make(struct collective *of) {
  if (make_group(of) || read_arguments(of)) return -1;
  int sent = sent_blocks(of), received = received_blocks(of);
  size_t slot = block_bytes(of, of->elements * (of->is_rising ? 2 : 1));
  if (sides_make(&of->sides, of->with, count_of_buffers(of->with->buffers, received),
                 slot * (size_t)sent, slot * (size_t)received))
    return -1;
  if (slot && of->group.index >= 0) fill(of);
  shmem_barrier_all();
  return 0;
}

void collective_finish(void *state) {
  struct collective *of = state;
  sides_free(&of->sides);
  group_release(&of->group);
  free(of);
}

void *collective_prepare(const pgas_case *with, const struct collective_kind *kind) {
  struct collective *of = state_of(with, sizeof *of);
  if (!of) return NULL;
  *of = (struct collective){.with = with, .kind = kind};
  return state_unless(make(of), of, collective_finish);
}

void collective_run(void *state, long launch) {
  struct collective *of = state;
  if (of->group.index < 0) return;
  long *sync = of->kind->has_team ? NULL : group_array(&of->group, launch);
  of->kind->call(of, buffer_at(&of->sides.dest, launch), buffer_at(&of->sides.source, launch),
                 sync);
}

/* ---- Check ---- */

static int check_block(const struct collective *of, const char *memory, int from, int buffer) {
  int block = of->kind->shape == EACH_TO_EACH ? of->group.index : 0;
  struct pattern right = {pe_in_group(&of->group, from), block, buffer};
  size_t bytes = collective_elements(of, from) * of->layout.width;
  long place = strided_differs(of->layout, memory, bytes, right);
  if (place < 0) return 0;
  pgas_complain(of->with, "PE %d: byte %ld from PE %d is wrong", of->with->thread, place,
                right.source);
  return -1;
}

/* Whether the operation writes to this PE. A broadcast over an active set leaves out its root. */
static int receives(const struct collective *of) {
  if (of->group.index < 0) return 0;
  return of->kind->shape != FROM_ROOT || of->group.index != of->root;
}

/* Blocks are next to each other. */
int collective_check(void *state, long launch) {
  const struct collective *of = state;
  const char *memory = buffer_at(&of->sides.dest, launch);
  int buffer = buffer_of(&of->sides.dest, launch);
  if (!receives(of) || !memory) return 0;
  for (int block = 0; block < received_blocks(of); block++) {
    int from = is_broadcast(of) ? of->root : block;
    if (check_block(of, memory, from, buffer)) return -1;
    memory += block_bytes(of, collective_elements(of, from));
  }
  return 0;
}
