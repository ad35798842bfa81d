/* Buffers, calls and checks of reductions. */
#include "reductions.h"

#include <stdlib.h>

#include "arguments.h"
#include "state.h"

/* ---- Life of an operation ---- */

static int make_group(struct reduction *of) {
#if HAS_OPENSHMEM(1, 5)
  if (of->kind->has_team) return group_of_team(&of->group, of->with);
#endif
  return group_of_set(&of->group, of->with, SHMEM_REDUCE_SYNC_SIZE);
}

static int read_arguments(struct reduction *of) {
  int choice = pgas_argument_choice(of->with, "type");
  of->number = of->kind->types[choice];
  of->call = of->kind->calls[choice];
  size_t size = number_size(of->number);
  of->count = (int)(of->with->bytes / size);
  if (of->with->bytes % size == 0 && of->with->bytes / size <= 0x7fffffff) return 0;
  pgas_complain(of->with, "a size of %zu bytes is no number of values of %zu bytes",
                of->with->bytes, size);
  return -1;
}

static void fill(const struct reduction *of) {
  const struct buffers *source = &of->sides.source;
  for (int buffer = 0; buffer < source->count; buffer++)
    for (size_t at = 0; at < (size_t)of->count; at++)
      number_store(of->number, buffer_at(source, buffer), at,
                   contribution(of->kind->operator, of->group.index, buffer, at));
}

static size_t work_numbers(const struct reduction *of) {
  size_t half = (size_t)of->count / 2 + 1;
  return half > SHMEM_REDUCE_MIN_WRKDATA_SIZE ? half : SHMEM_REDUCE_MIN_WRKDATA_SIZE;
}

/* Two launches that follow each other have work arrays of their own. */
static int make_work(struct reduction *of, int buffers) {
  if (of->kind->has_team) return 0;
  size_t bytes = work_numbers(of) * number_size(of->number);
  return symmetric_make(&of->work, of->with, buffers > 1 ? buffers : 2, bytes);
}

static int make(struct reduction *of) {
  if (make_group(of) || read_arguments(of)) return -1;
  size_t bytes = (size_t)of->count * number_size(of->number);
  int buffers = of->with->buffers;
  if (sides_make(&of->sides, of->with, buffers, bytes, bytes) || make_work(of, buffers)) return -1;
  if (bytes && of->group.index >= 0) fill(of);
  shmem_barrier_all();
  return 0;
}

void reduction_finish(void *state) {
  struct reduction *of = state;
  sides_free(&of->sides);
  symmetric_free(&of->work);
  group_release(&of->group);
  free(of);
}

void *reduction_prepare(const pgas_case *with, const struct reduction_kind *kind) {
  struct reduction *of = state_of(with, sizeof *of);
  if (!of) return NULL;
  *of = (struct reduction){.with = with, .kind = kind};
  return state_unless(make(of), of, reduction_finish);
}

void reduction_run(void *state, long launch) {
  struct reduction *of = state;
  if (of->group.index < 0) return;
  void *dest = buffer_at(&of->sides.dest, launch), *source = buffer_at(&of->sides.source, launch);
  if (of->kind->has_team) of->call(of, dest, source, NULL, NULL);
  else of->call(of, dest, source, buffer_at(&of->work, launch), group_array(&of->group, launch));
}

int reduction_check(void *state, long launch) {
  const struct reduction *of = state;
  const struct buffers *dest = &of->sides.dest;
  int buffer = buffer_of(dest, launch);
  if (of->group.index < 0) return 0;
  for (size_t at = 0; at < (size_t)of->count; at++) {
    struct number right = combined(of->kind->operator, 0, of->group.size - 1, buffer, at);
    if (number_is(of->number, buffer_at(dest, launch), at, right)) continue;
    pgas_complain(of->with, "PE %d: number %zu is %g instead of %g", of->with->thread, at,
                  number_read(of->number, buffer_at(dest, launch), at), right.real);
    return -1;
  }
  return 0;
}
