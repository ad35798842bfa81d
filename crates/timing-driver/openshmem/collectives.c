/* Broadcasts, collections and exchanges over active sets. */
#include <shmem.h>
#include <stdlib.h>

#include "active_set.h"
#include "families.h"
#include "symmetric.h"

/* Words of the largest array for synchronisation. */
#define SYNC_WORDS                                                              \
  (SHMEM_COLLECT_SYNC_SIZE + SHMEM_BCAST_SYNC_SIZE + SHMEM_ALLTOALL_SYNC_SIZE + \
   SHMEM_ALLTOALLS_SYNC_SIZE)

struct collective;

struct collective_kind {
  void (*call)(struct collective *of, void *dest, const void *source, long *sync);
  enum { FROM_ROOT, TO_ALL, EACH_TO_EACH } shape;
  int width;      /* bytes of an element */
  int is_strided; /* elements are apart from each other */
};

struct collective {
  const pgas_case *with;
  const struct collective_kind *kind;
  struct active_set set;
  int root;        /* index in the set */
  int is_rising;   /* higher PEs contribute more */
  size_t elements; /* of a block of the case's size */
  struct strided layout;
  struct buffers source, dest;
  long *sync;
};

/* ---- Measures ---- */

/* Elements that a member contributes, or sends to each. */
static size_t elements_of(const struct collective *of, int index) {
  if (!of->is_rising) return of->elements;
  return of->elements * 2 * (size_t)(index + 1) / ((size_t)of->set.size + 1);
}

static size_t block_bytes(const struct collective *of, size_t elements) {
  return elements * of->layout.width * of->layout.stride;
}

static int sent_blocks(const struct collective *of) {
  return of->kind->shape == EACH_TO_EACH ? of->set.size : 1;
}

static int received_blocks(const struct collective *of) {
  return of->kind->shape == FROM_ROOT ? 1 : of->set.size;
}

/* ---- Life of an operation ---- */

static int read_arguments(struct collective *of) {
  const pgas_case *with = of->with;
  if (active_set_read(&of->set, with)) return -1;
  of->root = (int)number_argument(with, "root", 0, 0, of->set.size - 1);
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
  size_t elements = elements_of(of, of->set.index);
  for (int buffer = 0; buffer < of->source.count; buffer++)
    for (int block = 0; block < sent_blocks(of); block++) {
      struct pattern pattern = {of->with->thread, block, buffer};
      char *memory = buffer_at(&of->source, buffer) + (size_t)block * block_bytes(of, elements);
      strided_fill(of->layout, memory, elements * of->layout.width, pattern);
    }
}

static int make(struct collective *of) {
  if (read_arguments(of)) return -1;
  int widest = received_blocks(of), count = count_of_buffers(of->with->buffers, widest);
  size_t slot = block_bytes(of, of->elements * (of->is_rising ? 2 : 1));
  if (symmetric_make(&of->source, of->with, count, slot * (size_t)sent_blocks(of)) ||
      symmetric_make(&of->dest, of->with, count, slot * (size_t)widest))
    return -1;
  of->sync = work_arrays(of->with, SYNC_WORDS);
  if (!of->sync) return -1;
  if (slot && of->set.index >= 0) fill(of);
  shmem_barrier_all();
  return 0;
}

static void finish(void *state) {
  struct collective *of = state;
  symmetric_free(&of->source);
  symmetric_free(&of->dest);
  if (of->sync) shmem_free(of->sync);
  free(of);
}

static void *prepare(const pgas_case *with, const struct collective_kind *kind) {
  struct collective *of = calloc(1, sizeof *of);
  if (!of) {
    pgas_complain(with, "there is no memory for the operation");
    return NULL;
  }
  *of = (struct collective){.with = with, .kind = kind};
  if (!make(of)) return of;
  finish(of);
  return NULL;
}

static void run(void *state, long launch) {
  struct collective *of = state;
  if (of->set.index < 0) return;
  of->kind->call(of, buffer_at(&of->dest, launch), buffer_at(&of->source, launch),
                 of->sync + launch % WORK_ARRAYS * SYNC_WORDS);
}

/* ---- Check ---- */

static int check_block(const struct collective *of, const char *memory, int from, int buffer) {
  int block = of->kind->shape == EACH_TO_EACH ? of->set.index : 0;
  struct pattern right = {pe_in_set(&of->set, from), block, buffer};
  long place = strided_differs(of->layout, memory, elements_of(of, from) * of->layout.width, right);
  if (place < 0) return 0;
  pgas_complain(of->with, "PE %d: byte %ld from PE %d is wrong", of->with->thread, place,
                right.source);
  return -1;
}

/* Blocks are next to each other. A broadcast does not write to its root. */
static int check(void *state, long launch) {
  const struct collective *of = state;
  const char *memory = buffer_at(&of->dest, launch);
  int buffer = buffer_of(&of->dest, launch), is_broadcast = of->kind->shape == FROM_ROOT;
  if (of->set.index < 0 || !memory || (is_broadcast && of->set.index == of->root)) return 0;
  for (int block = 0; block < received_blocks(of); block++) {
    int from = is_broadcast ? of->root : block;
    if (check_block(of, memory, from, buffer)) return -1;
    memory += block_bytes(of, elements_of(of, from));
  }
  return 0;
}

/* ---- Operations ---- */

#define SET of->set.start, of->set.log_stride, of->set.size, sync
#define STRIDE (ptrdiff_t)of->layout.stride

#define COLLECTIVE(name_, bits, form, strided, describe, words, ...)                            \
  static void call_##name_##bits(struct collective *of, void *dest, const void *source,         \
                                 long *sync) {                                                  \
    shmem_##name_##bits(dest, source, __VA_ARGS__, SET);                                        \
  }                                                                                             \
  static const struct collective_kind kind_##name_##bits = {call_##name_##bits, form, bits / 8, \
                                                            strided};                           \
  static void *prepare_##name_##bits(const pgas_case *with) {                                   \
    return prepare(with, &kind_##name_##bits);                                                  \
  }                                                                                             \
  static const pgas_operation name_##bits = {.name = "shmem_" #name_ #bits,                     \
                                             .help = describe SET_HELP,                         \
                                             .arguments = words SET_ARGUMENTS,                  \
                                             .sized = 1,                                        \
                                             .prepare = prepare_##name_##bits,                  \
                                             .run = run,                                        \
                                             .check = check,                                    \
                                             .finish = finish};

#define OF_WIDTH(bits)                                                                             \
  COLLECTIVE(broadcast, bits, FROM_ROOT, 0, "the root's block to the others", "root=N ",           \
             of->elements, of->root)                                                               \
  COLLECTIVE(collect, bits, TO_ALL, 0,                                                             \
             "a block of each to all; blocks: of one size, or larger ones for higher PEs",         \
             "blocks=equal|rising ", elements_of(of, of->set.index))                               \
  COLLECTIVE(fcollect, bits, TO_ALL, 0, "a block of each, all of one size, to all", "",            \
             of->elements)                                                                         \
  COLLECTIVE(alltoall, bits, EACH_TO_EACH, 0, "a block of each to each", "", of->elements)         \
  COLLECTIVE(alltoalls, bits, EACH_TO_EACH, 1, "a block of each to each, elements `stride` apart", \
             "stride=N ", STRIDE, STRIDE, of->elements)

OF_WIDTH(32)
OF_WIDTH(64)

const pgas_operation *const pgas_shmem_collectives[] = {
    &broadcast32, &broadcast64, &collect32,   &collect64,   &fcollect32, &fcollect64,
    &alltoall32,  &alltoall64,  &alltoalls32, &alltoalls64, NULL,
};
