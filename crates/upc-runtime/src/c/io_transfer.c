/* Moves bytes between a file and memory: large pieces straight, in one system call for many of
 * them; many small pieces, as of a cyclic array, through a buffer, so that a system call moves much
 * at once. Reading of many small pieces of the file with small gaps goes through the buffer too,
 * gaps included. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "io.h"

#define PIECES 256
/* Below this on average, pieces of memory go through the buffer. */
#define SMALL_PIECE 1024
#define BUFFER (256ul << 10)
/* Maximum of one system call, in bytes. */
#define MOST (1ul << 30)
/* Ranges of a file that have at most this between them are read together. */
#define SMALL_GAP 4096
/* After this number of failed tests the next one waits: some file systems never have data ready. */
#define ATTEMPTS 1000
#define ANNOUNCED 64

/* ---- Strong consistency ---- */

static void set_lock(const struct upcr_open_file *f, int type, long begin, long end) {
  struct flock lock;
  memset(&lock, 0, sizeof lock);
  lock.l_type = (short)type;
  lock.l_whence = SEEK_SET;
  lock.l_start = begin;
  lock.l_len = end - begin; /* 0 is everything */
  while (fcntl(f->descriptor, F_OFD_SETLKW, &lock) != 0 && errno == EINTR) {
  }
}

/* Locks what the operation will write: then it is a single event for all others, also where it
 * takes several system calls. File systems without locks have to do without. Reading needs none:
 * with strong consistency nobody writes before all have entered the next call. */
static void lock(const struct upcr_open_file *f, const struct upcr_io_operation *op) {
  long begin = LONG_MAX, end = 0;
  for (size_t i = op->range_index; i < op->range_count; i++) {
    const upc_filevec_t *range = &op->ranges[i];
    if (range->len == 0) continue;
    if (range->offset < begin) begin = range->offset;
    if (range->offset + (long)range->len > end) end = range->offset + (long)range->len;
  }
  set_lock(f, F_WRLCK, begin, end);
}

static void unlock(const struct upcr_open_file *f) { set_lock(f, F_UNLCK, 0, 0); }

/* ---- One system call ---- */

static ssize_t move(struct upcr_open_file *f, int writing, const struct iovec *pieces, int count,
                    long offset, int without_waiting) {
  if (writing) {
    f->changed = 1;
    return pwritev(f->descriptor, pieces, count, offset);
  }
  if (without_waiting && !f->cannot_test) {
    ssize_t n = preadv2(f->descriptor, pieces, count, offset, RWF_NOWAIT);
    if (n >= 0 || (errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL)) return n;
    f->cannot_test = 1;
  }
  return preadv(f->descriptor, pieces, count, offset);
}

static char *buffer(void) {
  static char *memory;
  if (memory == NULL) memory = malloc(BUFFER);
  if (memory == NULL)
    upcr_fatal("thread %d: no memory for input and output (a buffer of %lu bytes)", upcr_mythread,
               BUFFER);
  return memory;
}

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* Moves some of the next `bytes` at `offset` of the file; like write(2). */
static ssize_t move_some(struct upcr_open_file *f, struct upcr_io_operation *op, long offset,
                         size_t bytes, int without_waiting) {
  struct iovec pieces[PIECES];
  int count = 0, is_mapped = 1;
  size_t total = 0;
  struct upcr_io_memory ahead = op->memory;
  bytes = smaller(bytes, MOST);
  while (total < bytes) {
    char *at = upcr_local(ahead.at);
    is_mapped = is_mapped && !upcr_is_far(at);
    size_t n = smaller(ahead.bytes, bytes - total);
    if (count > 0 && at == (char *)pieces[count - 1].iov_base + pieces[count - 1].iov_len)
      pieces[count - 1].iov_len += n;
    else if (count == PIECES) break;
    else pieces[count++] = (struct iovec){at, n};
    upcr_io_memory_advance(&ahead, n);
    total += n;
  }
  if (is_mapped && (count < PIECES || total >= (size_t)count * SMALL_PIECE)) {
    ssize_t n = move(f, op->writing, pieces, count, offset, without_waiting);
    if (n > 0) upcr_io_memory_advance(&op->memory, (size_t)n);
    return n;
  }
  struct iovec whole = {buffer(), smaller(bytes, BUFFER)};
  if (op->writing) {
    ahead = op->memory;
    upcr_io_memory_gather(&ahead, whole.iov_base, whole.iov_len);
  }
  ssize_t n = move(f, op->writing, &whole, 1, offset, without_waiting);
  if (n <= 0) return n;
  if (op->writing) upcr_io_memory_advance(&op->memory, (size_t)n);
  else upcr_io_memory_scatter(&op->memory, whole.iov_base, (size_t)n);
  return n;
}

/* ---- Ranges of the file ---- */

/* The next `bytes`, which the ranges cover without a gap, are done. */
static void pass(struct upcr_io_operation *op, size_t bytes) {
  op->left -= bytes;
  while (bytes != 0) {
    size_t n = smaller(bytes, op->ranges[op->range_index].len - op->range_offset);
    op->range_offset += n;
    bytes -= n;
    if (op->range_offset == op->ranges[op->range_index].len) {
      op->range_index++;
      op->range_offset = 0;
    }
  }
}

/* Bytes from the present place to the end of the last range that follows with at most `gap` bytes
 * between each two, `most` bytes altogether unless the first range has more; `ranges` is their
 * number. */
static size_t extent(const struct upcr_io_operation *op, size_t gap, size_t most, size_t *ranges) {
  const upc_filevec_t *range = &op->ranges[op->range_index];
  long begin = range->offset + (long)op->range_offset, end = range->offset + (long)range->len;
  *ranges = 1;
  for (size_t i = op->range_index + 1; i < op->range_count; i++) {
    range = &op->ranges[i];
    if (range->offset < end || (size_t)(range->offset - end) > gap || range->len > most ||
        (size_t)(range->offset - begin) > most - range->len)
      break;
    end = range->offset + (long)range->len;
    ++*ranges;
  }
  return (size_t)(end - begin);
}

/* Reads `bytes` at `offset`, and takes out of them what the ranges ask for. */
static ssize_t read_with_gaps(struct upcr_open_file *f, struct upcr_io_operation *op, long offset,
                              size_t bytes, int without_waiting) {
  struct iovec whole = {buffer(), bytes};
  ssize_t n = move(f, 0, &whole, 1, offset, without_waiting);
  for (long end = offset + n; n > 0 && op->left != 0;) {
    const upc_filevec_t *range = &op->ranges[op->range_index];
    long from = range->offset + (long)op->range_offset;
    size_t length = range->len - op->range_offset;
    if (length == 0) {
      op->range_index++;
      op->range_offset = 0;
      continue;
    }
    if (from < offset || from >= end) break;
    length = smaller(length, (size_t)(end - from));
    upcr_io_memory_scatter(&op->memory, (char *)whole.iov_base + (from - offset), length);
    op->moved += length;
    pass(op, length);
  }
  return n;
}

/* The file ends before the rest of this range: that part of the memory stays as it is. */
static void skip_range(struct upcr_io_operation *op) {
  size_t rest = op->ranges[op->range_index].len - op->range_offset;
  upcr_io_memory_advance(&op->memory, rest);
  pass(op, rest);
}

/* One step; 0 if data would have to be waited for. */
static int step(struct upcr_open_file *f, struct upcr_io_operation *op, int without_waiting) {
  const upc_filevec_t *range = &op->ranges[op->range_index];
  if (op->range_offset == range->len) {
    op->range_index++;
    op->range_offset = 0;
    return 1;
  }
  long offset = range->offset + (long)op->range_offset;
  size_t ranges, with_gaps = op->writing ? 0 : extent(op, SMALL_GAP, BUFFER, &ranges);
  size_t bytes = extent(op, 0, MOST, &ranges);
  ssize_t n;
  if (with_gaps > bytes && bytes < BUFFER / 8) {
    n = read_with_gaps(f, op, offset, with_gaps, without_waiting);
  } else {
    n = move_some(f, op, offset, bytes, without_waiting);
    if (n > 0) {
      op->moved += (size_t)n;
      pass(op, (size_t)n);
    }
  }
  if (n > 0 || (n < 0 && errno == EINTR)) return 1;
  if (n < 0 && errno == EAGAIN && without_waiting) return 0;
  if (n == 0 && !op->writing) skip_range(op);
  else op->error = n < 0 ? errno : EIO;
  return 1;
}

void upcr_io_run(struct upcr_open_file *f, struct upcr_io_operation *op, int without_waiting) {
  int exclusive = op->is_shared_memory && op->error == 0 && op->left != 0;
  int locked = op->writing && upcr_io_is_strong(f) && op->error == 0 && op->left != 0;
  if (op->attempts >= ATTEMPTS || exclusive) without_waiting = 0;
  if (exclusive) upcr_io_enter(f);
  if (locked) lock(f, op);
  while (op->error == 0 && op->left != 0)
    if (!step(f, op, without_waiting)) break;
  if (locked) unlock(f);
  if (exclusive) upcr_io_leave(f);
  op->finished = op->error != 0 || op->left == 0;
  if (!op->finished) op->attempts++;
}

void upcr_io_announce(struct upcr_open_file *f, const struct upcr_io_operation *op) {
  for (size_t i = 0; i < op->range_count && i < ANNOUNCED; i++)
    posix_fadvise(f->descriptor, op->ranges[i].offset, (off_t)op->ranges[i].len,
                  POSIX_FADV_WILLNEED);
}
