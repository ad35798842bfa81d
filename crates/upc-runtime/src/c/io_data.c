/* The functions that read and write. Each transfer becomes an operation; each thread moves
 * its own, and where a common file pointer makes one operation of all threads, each moves one
 * stretch of the file. Asynchronous writing is done at once, since the system only takes a copy and
 * stores it later; asynchronous reading lets the system fetch the data, which moves when the
 * program asks for completion. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "io.h"

/* Threads share the work on a file in stretches that begin at multiples of this. */
#define STRETCH (64l << 10)

/* With strong consistency neither counts. */
static int in_sync(int flags) {
  return (flags & (UPC_IN_ALLSYNC | UPC_IN_MYSYNC)) != 0 || (flags & UPC_IN_NOSYNC) == 0;
}
static int out_sync(int flags) {
  return (flags & (UPC_OUT_ALLSYNC | UPC_OUT_MYSYNC)) != 0 || (flags & UPC_OUT_NOSYNC) == 0;
}

/* ---- Preparing an operation: each of these gives an errno ---- */

/* Whether this can be a buffer in shared memory. */
static int is_shared(upcr_pts at, size_t bytes) {
  int thread = upcr_thread_of(at.addr);
  return bytes == 0 ||
         (thread >= 0 && thread < upcr_threads && bytes <= (size_t)upcr_threads << UPCR_SHIFT);
}

static int check_access(const struct upcr_open_file *f, const struct upcr_io_operation *op) {
  return op->writing ? (upcr_io_can_write(f) ? 0 : EBADF) : (upcr_io_can_read(f) ? 0 : EBADF);
}

/* Is for functions with a buffer: they read or write at the file pointer. */
static int prepare_buffer(struct upcr_open_file *f, struct upcr_io_operation *op, size_t size,
                          size_t number) {
  size_t bytes;
  op->has_buffer = 1;
  if (__builtin_mul_overflow(size, number, &bytes) || bytes > (size_t)(LONG_MAX - f->position))
    return EINVAL;
  op->one_range = (upc_filevec_t){f->position, bytes};
  op->ranges = &op->one_range;
  op->range_count = 1;
  op->memory.entries = 1;
  op->left = bytes;
  return check_access(f, op);
}

static int prepare_local(struct upcr_open_file *f, struct upcr_io_operation *op, void *buffer,
                         size_t size, size_t number) {
  int error = prepare_buffer(f, op, size, number);
  if (error != 0) return error;
  if ((f->flags & UPC_COMMON_FP) != 0) return EINVAL;
  if (buffer == NULL && op->left != 0) return EFAULT;
  op->one_local = (upc_local_memvec_t){buffer, op->left};
  op->memory.local = &op->one_local;
  upcr_io_memory_start(&op->memory, 0);
  return 0;
}

static int prepare_shared(struct upcr_open_file *f, struct upcr_io_operation *op, upcr_pts buffer,
                          size_t block, size_t size, size_t number) {
  op->arguments[0] = (long)buffer.addr;
  op->arguments[1] = (long)block;
  op->arguments[2] = (long)size;
  op->arguments[3] = (long)number;
  int error = prepare_buffer(f, op, size, number);
  if (error != 0) return error;
  if (!is_shared(buffer, op->left)) return EFAULT;
  /* A single block is as good as an indefinite one, and its size may not overflow. */
  op->one_shared =
      (struct upcr_shared_memvec){buffer, block >= number ? 0 : block * size, op->left};
  op->memory.shared = &op->one_shared;
  size_t skip = 0;
  if ((f->flags & UPC_COMMON_FP) != 0) {
    long begin = f->position & ~(STRETCH - 1), end = f->position + (long)op->left;
    long each = ((end - begin) / upcr_threads + STRETCH) & ~(STRETCH - 1);
    long from, to;
    /* Beyond the largest offset there is nothing left to share. */
    if (__builtin_add_overflow(begin, each * upcr_mythread, &from)) from = end;
    if (__builtin_add_overflow(from, each, &to) || to > end) to = end;
    if (from < f->position) from = f->position;
    if (from > to) from = to;
    skip = (size_t)(from - f->position);
    op->one_range = (upc_filevec_t){from, (size_t)(to - from)};
    op->left = op->one_range.len;
  }
  upcr_io_memory_start(&op->memory, skip);
  return 0;
}

static int prepare_list(struct upcr_open_file *f, struct upcr_io_operation *op,
                        const upc_local_memvec_t *local, const struct upcr_shared_memvec *shared,
                        size_t entries, const upc_filevec_t *ranges, size_t range_count) {
  size_t in_memory = 0, in_file = 0;
  if ((entries != 0 && local == NULL && shared == NULL) || (range_count != 0 && ranges == NULL))
    return EFAULT;
  for (size_t i = 0; i < entries; i++) {
    size_t bytes = local != NULL ? local[i].len : shared[i].bytes;
    if (__builtin_add_overflow(in_memory, bytes, &in_memory)) return EINVAL;
    if (local != NULL ? local[i].baseaddr == NULL && bytes != 0 : !is_shared(shared[i].base, bytes))
      return EFAULT;
  }
  for (size_t i = 0; i < range_count; i++) {
    if (ranges[i].len == 0) continue;
    if (ranges[i].offset < 0 || ranges[i].len > (size_t)(LONG_MAX - ranges[i].offset))
      return EINVAL;
    if (__builtin_add_overflow(in_file, ranges[i].len, &in_file)) return EINVAL;
  }
  if (in_memory != in_file || in_file > LONG_MAX) return EINVAL;
  op->ranges = ranges;
  op->range_count = range_count;
  op->memory.local = local;
  op->memory.shared = shared;
  op->memory.entries = entries;
  op->left = in_file;
  upcr_io_memory_start(&op->memory, 0);
  return check_access(f, op);
}

/* ---- Carrying it out ---- */

/* Whether all threads do this together, at the common file pointer. */
static int is_common(const struct upcr_open_file *f, const struct upcr_io_operation *op) {
  return op->has_buffer && (f->flags & UPC_COMMON_FP) != 0;
}

/* Waits for all threads, and lets those of a common operation compare their arguments and add up
 * what they moved. */
static void meet(struct upcr_open_file *f, const struct upcr_io_operation *op,
                 enum upcr_kind kind) {
  struct upcr_io_cell *mine = upcr_io_mine(f);
  memcpy(mine->values, op->arguments, sizeof op->arguments);
  mine->result = op->finished ? (long)op->moved : -1;
  mine->error = op->error;
  upcr_io_exchange(f, kind);
}

/* Return value of the call, once the operation is finished on this thread, and, if it is common,
 * after meet(). */
static long result_of(struct upcr_open_file *f, const struct upcr_io_operation *op) {
  int error = op->error;
  long moved = (long)op->moved;
  if (is_common(f, op)) {
    error = upcr_io_first_error(f);
    moved = 0;
    for (int t = 0; t < upcr_threads; t++) moved += upcr_io_of(f, t)->result;
  }
  if (error != 0) {
    errno = error;
    return -1;
  }
  if (op->has_buffer) f->position += moved;
  return moved;
}

/* With strong consistency, reads of several threads into the same memory must look as if one came
 * after the other. */
static void meet_strongly(struct upcr_open_file *f, struct upcr_io_operation *op) {
  struct upcr_io_span mine = {0, 0, 0};
  if (!op->writing && op->error == 0) mine = upcr_io_memory_span(&op->memory);
  op->arguments[0] = mine.thread;
  op->arguments[1] = (long)mine.begin;
  op->arguments[2] = (long)mine.end;
  meet(f, op, op->kind);
  for (int t = 0; t < upcr_threads; t++) {
    const long *values = upcr_io_of(f, t)->values;
    struct upcr_io_span other = {(int)values[0], (upcr_addr_t)values[1], (upcr_addr_t)values[2]};
    if (t != upcr_mythread && upcr_io_spans_meet(mine, other)) op->is_shared_memory = 1;
  }
}

/* A common operation has one set of arguments, which the threads must agree on before they divide
 * the work. */
static void begin(struct upcr_open_file *f, struct upcr_io_operation *op) {
  static const char *const names[] = {"the buffer's address", "the block size", "the size",
                                      "the number"};
  if (!is_common(f, op)) {
    if (upcr_io_is_strong(f)) meet_strongly(f, op);
    else if (in_sync(op->flags)) meet(f, op, op->kind);
    return;
  }
  meet(f, op, op->kind);
  if (!upcr_io_unequal(f, op->kind, 4, names) || upcr_mythread == 0) return;
  const long *those = upcr_io_of(f, 0)->values;
  op->error = prepare_shared(f, op, upcr_make((upcr_addr_t)those[0], 0), (size_t)those[1],
                             (size_t)those[2], (size_t)those[3]);
}

static long perform(struct upcr_open_file *f, struct upcr_io_operation *op, int error) {
  op->error = error;
  begin(f, op);
  upcr_io_run(f, op, 0);
  if (is_common(f, op) || upcr_io_is_strong(f) || out_sync(op->flags)) meet(f, op, op->kind);
  return result_of(f, op);
}

static struct upcr_io_operation fresh(enum upcr_kind kind, int writing, int flags) {
  struct upcr_io_operation op;
  memset(&op, 0, sizeof op);
  op.kind = kind;
  op.writing = writing;
  op.flags = flags;
  return op;
}

/* ---- Asynchronous ---- */

/* Null if there is no such file; the program learns that when it asks for completion. */
static struct upcr_io_operation *fresh_outstanding(upcr_pts handle, enum upcr_kind kind,
                                                   int writing, int flags,
                                                   struct upcr_open_file **file) {
  struct upcr_open_file *f = *file = upcr_io_any_file(handle);
  if (f == NULL) return NULL;
  if (f->outstanding)
    upcr_fatal("thread %d is at %s of '%s', but %s is outstanding on this file: call "
               "upc_all_fwait_async before",
               upcr_mythread, upcr_kind_names[kind], f->name, upcr_kind_names[f->operation.kind]);
  f->operation = fresh(kind, writing, flags);
  f->outstanding = 1;
  return &f->operation;
}

/* The program may change its lists once the call has returned. */
static const void *keep(void **copy, const void *list, size_t number, size_t size) {
  size_t bytes;
  if (list == NULL || number == 0) return list;
  if (__builtin_mul_overflow(number, size, &bytes) || (*copy = malloc(bytes)) == NULL)
    upcr_fatal("thread %d: no memory for an asynchronous operation with a list of %zu entries",
               upcr_mythread, number);
  memcpy(*copy, list, bytes);
  return *copy;
}

static void start(struct upcr_open_file *f, struct upcr_io_operation *op, int error) {
  op->error = error;
  begin(f, op);
  if (op->writing || op->error != 0) upcr_io_run(f, op, 0);
  else upcr_io_announce(f, op);
}

static long complete(struct upcr_open_file *f) {
  struct upcr_io_operation *op = &f->operation;
  free(op->memory_copy);
  free(op->range_copy);
  f->outstanding = 0;
  return result_of(f, op);
}

/* The file of a handle on which there is something to wait for. */
static struct upcr_open_file *outstanding_on(upcr_pts handle) {
  struct upcr_open_file *f = upcr_io_any_file(handle);
  if (f == NULL || f->outstanding) return f;
  errno = EINVAL;
  return NULL;
}

UPCR_LIBRARY long upc_all_fwait_async(upcr_pts handle) {
  struct upcr_open_file *f = outstanding_on(handle);
  if (f == NULL) return -1;
  upcr_io_run(f, &f->operation, 0);
  meet(f, &f->operation, UPCR_AT_FWAIT_ASYNC);
  return complete(f);
}

UPCR_LIBRARY long upc_all_ftest_async(upcr_pts handle, int *flag) {
  struct upcr_open_file *f = outstanding_on(handle);
  if (f == NULL) {
    if (flag != NULL) *flag = 1;
    return -1;
  }
  upcr_io_run(f, &f->operation, 1);
  meet(f, &f->operation, UPCR_AT_FTEST_ASYNC);
  int finished = 1;
  for (int t = 0; t < upcr_threads; t++)
    if (upcr_io_of(f, t)->result < 0) finished = 0;
  if (flag != NULL) *flag = finished;
  return finished ? complete(f) : 0;
}

/* ---- Entry points ---- */

#define BUFFER_CALLS(direction, DIRECTION, writing)                                                \
  UPCR_LIBRARY long upc_all_f##direction##_local(upcr_pts handle, const void *buffer, size_t size, \
                                                 size_t number, int flags) {                       \
    struct upcr_open_file *f = upcr_io_file(handle);                                               \
    if (f == NULL) return -1;                                                                      \
    struct upcr_io_operation op = fresh(UPCR_AT_F##DIRECTION##_LOCAL, writing, flags);             \
    return perform(f, &op, prepare_local(f, &op, (void *)buffer, size, number));                   \
  }                                                                                                \
  UPCR_LIBRARY long upc_all_f##direction##_shared(upcr_pts handle, upcr_pts buffer, size_t block,  \
                                                  size_t size, size_t number, int flags) {         \
    struct upcr_open_file *f = upcr_io_file(handle);                                               \
    if (f == NULL) return -1;                                                                      \
    struct upcr_io_operation op = fresh(UPCR_AT_F##DIRECTION##_SHARED, writing, flags);            \
    return perform(f, &op, prepare_shared(f, &op, buffer, block, size, number));                   \
  }                                                                                                \
  UPCR_LIBRARY void upc_all_f##direction##_local_async(upcr_pts handle, const void *buffer,        \
                                                       size_t size, size_t number, int flags) {    \
    struct upcr_open_file *f;                                                                      \
    struct upcr_io_operation *op =                                                                 \
        fresh_outstanding(handle, UPCR_AT_F##DIRECTION##_LOCAL_ASYNC, writing, flags, &f);         \
    if (op != NULL) start(f, op, prepare_local(f, op, (void *)buffer, size, number));              \
  }                                                                                                \
  UPCR_LIBRARY void upc_all_f##direction##_shared_async(                                           \
      upcr_pts handle, upcr_pts buffer, size_t block, size_t size, size_t number, int flags) {     \
    struct upcr_open_file *f;                                                                      \
    struct upcr_io_operation *op =                                                                 \
        fresh_outstanding(handle, UPCR_AT_F##DIRECTION##_SHARED_ASYNC, writing, flags, &f);        \
    if (op != NULL) start(f, op, prepare_shared(f, op, buffer, block, size, number));              \
  }

BUFFER_CALLS(read, READ, 0)
BUFFER_CALLS(write, WRITE, 1)

/* `local` or `shared` is the list, the other one is null. */
#define LIST_CALLS(direction, DIRECTION, side, SIDE, writing, type, local, shared)                 \
  UPCR_LIBRARY long upc_all_f##direction##_list_##side(upcr_pts handle, size_t entries,            \
                                                       const type *list, size_t range_count,       \
                                                       const upc_filevec_t *ranges, int flags) {   \
    struct upcr_open_file *f = upcr_io_file(handle);                                               \
    if (f == NULL) return -1;                                                                      \
    struct upcr_io_operation op = fresh(UPCR_AT_F##DIRECTION##_LIST_##SIDE, writing, flags);       \
    return perform(f, &op, prepare_list(f, &op, local, shared, entries, ranges, range_count));     \
  }                                                                                                \
  UPCR_LIBRARY void upc_all_f##direction##_list_##side##_async(                                    \
      upcr_pts handle, size_t entries, const type *list, size_t range_count,                       \
      const upc_filevec_t *ranges, int flags) {                                                    \
    struct upcr_open_file *f;                                                                      \
    struct upcr_io_operation *op =                                                                 \
        fresh_outstanding(handle, UPCR_AT_F##DIRECTION##_LIST_##SIDE##_ASYNC, writing, flags, &f); \
    if (op == NULL) return;                                                                        \
    list = keep(&op->memory_copy, list, entries, sizeof *list);                                    \
    ranges = keep(&op->range_copy, ranges, range_count, sizeof *ranges);                           \
    start(f, op, prepare_list(f, op, local, shared, entries, ranges, range_count));                \
  }

LIST_CALLS(read, READ, local, LOCAL, 0, upc_local_memvec_t, list, NULL)
LIST_CALLS(read, READ, shared, SHARED, 0, struct upcr_shared_memvec, NULL, list)
LIST_CALLS(write, WRITE, local, LOCAL, 1, upc_local_memvec_t, list, NULL)
LIST_CALLS(write, WRITE, shared, SHARED, 1, struct upcr_shared_memvec, NULL, list)
