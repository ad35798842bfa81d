/* Broadcast, scatter, gather, gather_all, exchange and permute. */
#include <string.h>
#include "families.h"
#include "flags.h"
#include "places.h"

/* Blocks of a side, and the thread that has them: all threads, or the root alone. */
struct side {
  int blocks;
  int is_root;
};

struct relocation {
  const pgas_case *with;
  size_t bytes;
  upc_flag_t flags;
  int root;
  struct side from, to;
  struct places source, target;
  shared int *permutation;
  /* Whose block `index` of this thread's target is, and which one of that thread. */
  struct pattern (*origin)(const struct relocation *of, int index);
};

/* ---- Preparation ---- */

static int has(const struct relocation *of, const struct side *side) {
  return !side->is_root || MYTHREAD == of->root;
}

static unsigned char expected(const struct relocation *of, int index, int buffer, size_t position) {
  struct pattern pattern = of->origin(of, index);
  pattern.buffer = buffer;
  return pattern_at(pattern, position);
}

static void fill_source(const struct relocation *of) {
  for (int buffer = 0; buffer < of->source.count; buffer++) {
    char *at = own_place(&of->source, buffer);
    for (int block = 0; block < of->from.blocks; block++, at += of->bytes) {
      struct pattern pattern = {MYTHREAD, block, buffer};
      for (size_t i = 0; i < of->bytes; i++) at[i] = (char)pattern_at(pattern, i);
    }
  }
}

/* Other bytes than those that will be there, in the buffer that is checked. */
static void spoil_target(const struct relocation *of) {
  memset(own_place(&of->target, 0), 0, of->target.each * (size_t)of->target.count);
  char *at = own_place(&of->target, 0);
  for (int block = 0; block < of->to.blocks; block++, at += of->bytes)
    for (size_t i = 0; i < of->bytes; i++) at[i] = (char)~expected(of, block, 0, i);
}

static void *prepare(const pgas_case *with, const struct relocation *kind) {
  long root = number_argument(with, "root", 0, 0, THREADS - 1);
  size_t bytes = some_bytes(with);
  struct relocation *of = state_of(with, sizeof *of);
  if (!of) return NULL;
  if (root < 0 || bytes == 0) return free(of), NULL;
  *of = *kind;
  of->with = with;
  of->bytes = bytes;
  of->flags = flags_argument(with);
  of->root = (int)root;
  int most = of->from.blocks > of->to.blocks ? of->from.blocks : of->to.blocks;
  int count = count_of_buffers(with->buffers, most);
  of->source = places_of(of->bytes * (size_t)of->from.blocks, count);
  of->target = places_of(of->bytes * (size_t)of->to.blocks, count);
  of->permutation = upc_all_alloc(THREADS, sizeof(int));
  of->permutation[MYTHREAD] = (MYTHREAD + 1) % THREADS;
  fill_source(of);
  spoil_target(of);
  upc_barrier;
  return of;
}

static void finish(void *state) {
  struct relocation *of = state;
  free_places(&of->source);
  free_places(&of->target);
  if (MYTHREAD == 0) upc_free(of->permutation);
  free(of);
}

/* ---- Check ---- */

static int check(void *state, long launch) {
  struct relocation *of = state;
  if (!has(of, &of->to)) return 0;
  const char *at = own_place(&of->target, launch);
  int buffer = (int)(launch % of->target.count);
  for (int block = 0; block < of->to.blocks; block++, at += of->bytes)
    for (size_t i = 0; i < of->bytes; i++)
      if ((unsigned char)at[i] != expected(of, block, buffer, i)) {
        pgas_complain(of->with, "byte %zu of block %d is %u instead of %u", i, block,
                      (unsigned char)at[i], expected(of, block, buffer, i));
        return 1;
      }
  return 0;
}

/* ---- Operations ---- */

static struct pattern of_root(const struct relocation *of, int index) {
  return (struct pattern){of->root, index, 0};
}
static struct pattern own_of_root(const struct relocation *of, int index) {
  (void)index;
  return (struct pattern){of->root, MYTHREAD, 0};
}
static struct pattern of_each(const struct relocation *of, int index) {
  (void)of;
  return (struct pattern){index, 0, 0};
}
static struct pattern own_of_each(const struct relocation *of, int index) {
  (void)of;
  return (struct pattern){index, MYTHREAD, 0};
}
static struct pattern of_one_before(const struct relocation *of, int index) {
  (void)of, (void)index;
  return (struct pattern){(MYTHREAD + THREADS - 1) % THREADS, 0, 0};
}

static shared void *start_of(const struct relocation *of, const struct side *side,
                             const struct places *places, long launch) {
  return place_on(places, side->is_root ? of->root : 0, launch);
}

#define SOURCE start_of(of, &of->from, &of->source, launch)
#define TARGET start_of(of, &of->to, &of->target, launch)

/* Sides are pairs of blocks and of whether the root has them. */
#define RELOCATION(operation, describe, takes, source, target, whose, ...)    \
  static void run_##operation(void *state, long launch) {                     \
    struct relocation *of = state;                                            \
    upc_all_##operation(TARGET, SOURCE, __VA_ARGS__ of->bytes, of->flags);    \
  }                                                                           \
  static void *prepare_##operation(const pgas_case *with) {                   \
    struct relocation kind = {.from = source, .to = target, .origin = whose}; \
    return prepare(with, &kind);                                              \
  }                                                                           \
  static const pgas_operation operation = {.name = "upc_all_" #operation,     \
                                           .help = describe FLAG_HELP,        \
                                           .arguments = takes FLAG_ARGUMENTS, \
                                           .sized = 1,                        \
                                           .prepare = prepare_##operation,    \
                                           .run = run_##operation,            \
                                           .check = check,                    \
                                           .finish = finish};

#define ONE {1, 0}
#define ONE_OF_ROOT {1, 1}
#define ALL {THREADS, 0}
#define ALL_OF_ROOT {THREADS, 1}

RELOCATION(broadcast, "the root's block to all", "root=N ", ONE_OF_ROOT, ONE, of_root, )
RELOCATION(scatter, "a block of the root to each", "root=N ", ALL_OF_ROOT, ONE, own_of_root, )
RELOCATION(gather, "a block of each to the root", "root=N ", ONE, ALL_OF_ROOT, of_each, )
RELOCATION(gather_all, "a block of each to all", "", ONE, ALL, of_each, )
RELOCATION(exchange, "a block of each to each", "", ALL, ALL, own_of_each, )
RELOCATION(permute, "the block of each to the next thread", "", ONE, ONE, of_one_before,
           of->permutation, )

const pgas_operation *const *pgas_upc_collectives(void) {
  static const pgas_operation *const all[] = {&broadcast, &scatter, &gather, &gather_all,
                                              &exchange,  &permute, NULL};
  return all;
}
