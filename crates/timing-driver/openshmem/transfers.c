/* Transfers between PE 0 and its partner: of blocks, and of strided elements. */
#include <stdlib.h>

#include "arguments.h"
#include "families.h"
#include "state.h"
#include "symmetric.h"
#include "version.h"

#define ARGUMENTS "partner=near|far|own|N"

struct transfer;

struct transfer_kind {
  void (*begin)(struct transfer *of, void *local, void *remote, size_t bytes);
  enum { RETURNS_DONE, NEEDS_QUIET, SIGNALS } end;
  int is_read;
  int is_strided;
};

struct transfer {
  const pgas_case *with;
  const struct transfer_kind *kind;
  int partner;
  int is_quiet; /* a write ends when it has arrived */
  struct strided layout;
  struct buffers local, remote; /* symmetric, both */
  uint64_t *signal;             /* symmetric: launches that have arrived */
  uint64_t launches;
};

/* ---- Life of an operation ---- */

static int read_arguments(struct transfer *of) {
  long stride = of->kind->is_strided ? number_argument(of->with, "stride", 2, 1, 1 << 20) : 1;
  of->partner = partner_argument(of->with, "near", 0);
  if (of->partner < 0 || stride < 0) return -1;
  of->is_quiet = of->kind->end == NEEDS_QUIET || pgas_argument_choice(of->with, "quiet") == 1;
  of->layout = (struct strided){of->kind->is_strided ? sizeof(int64_t) : 1, (size_t)stride};
  if (of->with->bytes % of->layout.width == 0) return 0;
  pgas_complain(of->with, "a size of %zu bytes is no number of elements of %zu bytes",
                of->with->bytes, of->layout.width);
  return -1;
}

/* Contents at the side that is copied from. */
static void fill(const struct transfer *of) {
  int source = of->kind->is_read ? of->partner : 0;
  const struct buffers *buffers = of->kind->is_read ? &of->remote : &of->local;
  if (of->with->thread != source || !buffers->each) return;
  for (int buffer = 0; buffer < buffers->count; buffer++) {
    struct pattern pattern = {source, 0, buffer};
    strided_fill(of->layout, buffer_at(buffers, buffer), of->with->bytes, pattern);
  }
}

static int make(struct transfer *of) {
  if (read_arguments(of)) return -1;
  size_t bytes = of->with->bytes * of->layout.stride;
  if (symmetric_make(&of->local, of->with, of->with->buffers, bytes) ||
      symmetric_make(&of->remote, of->with, of->with->buffers, bytes))
    return -1;
  of->signal = shmem_calloc(1, sizeof *of->signal);
  if (!of->signal) {
    pgas_complain(of->with, "the symmetric heap has no word for a signal");
    return -1;
  }
  fill(of);
  shmem_barrier_all();
  return 0;
}

static void finish(void *state) {
  struct transfer *of = state;
  symmetric_free(&of->local);
  symmetric_free(&of->remote);
  if (of->signal) shmem_free(of->signal);
  free(of);
}

static void *prepare(const pgas_case *with, const struct transfer_kind *kind) {
  struct transfer *of = state_of(with, sizeof *of);
  if (!of) return NULL;
  *of = (struct transfer){.with = with, .kind = kind};
  return state_unless(make(of), of, finish);
}

static void start(void *state, long launch) {
  struct transfer *of = state;
  of->launches++;
  if (of->with->thread == 0)
    of->kind->begin(of, buffer_at(&of->local, launch), buffer_at(&of->remote, launch),
                    of->with->bytes);
}

/* PE 0 waits for its accesses, the partner for the signal, where there is one. */
static void complete(void *state, long launch) {
  struct transfer *of = state;
  (void)launch;
  if (of->with->thread == 0 && of->is_quiet) shmem_quiet();
#if HAS_OPENSHMEM(1, 5)
  if (of->kind->end == SIGNALS && of->with->thread == of->partner)
    shmem_signal_wait_until(of->signal, SHMEM_CMP_GE, of->launches);
#endif
}

static void run(void *state, long launch) {
  start(state, launch);
  complete(state, launch);
}

static int check(void *state, long launch) {
  const struct transfer *of = state;
  const struct buffers *buffers = of->kind->is_read ? &of->local : &of->remote;
  struct pattern right = {of->kind->is_read ? of->partner : 0, 0, buffer_of(buffers, launch)};
  if (of->with->thread != (of->kind->is_read ? 0 : of->partner)) return 0;
  long place = strided_differs(of->layout, buffer_at(buffers, launch), of->with->bytes, right);
  if (place < 0) return 0;
  pgas_complain(of->with, "PE %d: byte %ld from PE %d is wrong", of->with->thread, place,
                right.source);
  return -1;
}

/* ---- Operations ---- */

static void put(struct transfer *of, void *local, void *remote, size_t bytes) {
  shmem_putmem(remote, local, bytes, of->partner);
}

static void put_nbi(struct transfer *of, void *local, void *remote, size_t bytes) {
  shmem_putmem_nbi(remote, local, bytes, of->partner);
}

static void get(struct transfer *of, void *local, void *remote, size_t bytes) {
  shmem_getmem(local, remote, bytes, of->partner);
}

static void get_nbi(struct transfer *of, void *local, void *remote, size_t bytes) {
  shmem_getmem_nbi(local, remote, bytes, of->partner);
}

static void iput(struct transfer *of, void *local, void *remote, size_t bytes) {
  ptrdiff_t stride = (ptrdiff_t)of->layout.stride;
  shmem_iput64(remote, local, stride, stride, bytes / sizeof(int64_t), of->partner);
}

static void iget(struct transfer *of, void *local, void *remote, size_t bytes) {
  ptrdiff_t stride = (ptrdiff_t)of->layout.stride;
  shmem_iget64(local, remote, stride, stride, bytes / sizeof(int64_t), of->partner);
}

#if HAS_OPENSHMEM(1, 5)
static void put_signal(struct transfer *of, void *local, void *remote, size_t bytes) {
  shmem_putmem_signal(remote, local, bytes, of->signal, of->launches, SHMEM_SIGNAL_SET,
                      of->partner);
}

static void put_signal_nbi(struct transfer *of, void *local, void *remote, size_t bytes) {
  shmem_putmem_signal_nbi(remote, local, bytes, of->signal, of->launches, SHMEM_SIGNAL_SET,
                          of->partner);
}
#endif

#define TRANSFER(function, call, ending, reads, strides, describe, words, ...)               \
  static const struct transfer_kind kind_##call = {call, ending, reads, strides};            \
  static void *prepare_##call(const pgas_case *with) { return prepare(with, &kind_##call); } \
  static const pgas_operation operation_##call = {.name = "shmem_" #function,                \
                                                  .help = describe,                          \
                                                  .arguments = ARGUMENTS words,              \
                                                  .sized = 1,                                \
                                                  .prepare = prepare_##call,                 \
                                                  .run = run,                                \
                                                  .check = check,                            \
                                                  .finish = finish,                          \
                                                  __VA_ARGS__};

#define QUIET " quiet=no|yes"
#define QUIET_HELP "; quiet: until they have arrived"
#define HALVES .start = start, .complete = complete

TRANSFER(putmem, put, RETURNS_DONE, 0, 0, "PE 0 writes to the partner" QUIET_HELP, QUIET,
         .start = NULL)
TRANSFER(putmem_nbi, put_nbi, NEEDS_QUIET, 0, 0, "PE 0 writes to the partner; quiet waits", "",
         HALVES)
TRANSFER(getmem, get, RETURNS_DONE, 1, 0, "PE 0 reads from the partner", "", .start = NULL)
TRANSFER(getmem_nbi, get_nbi, NEEDS_QUIET, 1, 0, "PE 0 reads from the partner; quiet waits", "",
         HALVES)
TRANSFER(iput64, iput, RETURNS_DONE, 0, 1,
         "PE 0 writes 8-byte elements, `stride` apart, to the partner" QUIET_HELP,
         QUIET " stride=N", .start = NULL)
TRANSFER(iget64, iget, RETURNS_DONE, 1, 1,
         "PE 0 reads 8-byte elements, `stride` apart, from the partner", " stride=N", .start = NULL)
#if HAS_OPENSHMEM(1, 5)
TRANSFER(putmem_signal, put_signal, SIGNALS, 0, 0,
         "PE 0 writes to the partner, which waits for its signal", QUIET, .start = NULL)
TRANSFER(putmem_signal_nbi, put_signal_nbi, SIGNALS, 0, 0,
         "PE 0 writes to the partner, which waits for its signal", QUIET, HALVES)
#endif

const pgas_operation *const pgas_shmem_transfers[] = {
    &operation_put,
    &operation_put_nbi,
    &operation_get,
    &operation_get_nbi,
    &operation_iput,
    &operation_iget,
#if HAS_OPENSHMEM(1, 5)
    &operation_put_signal,
    &operation_put_signal_nbi,
#endif
    NULL,
};
