/* Declarations that the files of UPC-IO share. io_file.c opens and closes, and exchanges results
 * between threads; io_control.c is everything about an open file but its data; io_data.c reads and
 * writes, with io_transfer.c moving the bytes and io_memory.c knowing where in memory they are. */
#ifndef UPCR_IO_H
#define UPCR_IO_H

#include "runtime.h"
#include "upc_io.h"

/* Message of a thread to the others in one exchange. */
#define UPCR_IO_VALUES 6
struct upcr_io_cell {
  long values[UPCR_IO_VALUES]; /* arguments, or what else has to be equal or is of use to the others
                                */
  long result;
  int error; /* an errno, 0 for none */
} UPCR_ALIGNED;

/* An open file: what the threads share, in shared memory. Its address is what programs have as a
 * upc_file_t *. Cells of exchange n are in row n % 2: while some thread still reads one row, others
 * fill the other at most. */
#ifdef UPCR_MPI
/* Each thread has its own at the same place of its segment, and reads those of the others. */
struct upcr_file {
  upcr_pts memory; /* a lock, see below; thread 0's counts */
  struct upcr_io_cell cells[2];
};
#else
struct upcr_file {
  struct upcr_guard
      memory; /* of reads with strong consistency into memory that other threads read into, too */
  struct upcr_io_cell cells[];
};
#endif

/* upc_shared_memvec_t, in C. */
struct upcr_shared_memvec {
  upcr_pts base;
  size_t block; /* bytes, 0 for indefinite */
  size_t bytes;
};

/* A position in a sequence of pieces of memory that stand for one sequence of bytes. */
struct upcr_io_memory {
  /* One of the two is null. */
  const upc_local_memvec_t *local;
  const struct upcr_shared_memvec *shared;
  size_t entries;
  size_t index;
  size_t offset; /* in the entry */
  /* Where the next byte is, and how many follow without a gap; none at the end. */
  upcr_addr_t at;
  size_t bytes;
};

/* One call that moves data, by one thread. */
struct upcr_io_operation {
  enum upcr_kind kind;
  int writing;
  int has_buffer; /* and not lists */
  int flags;      /* of synchronisation */
  int error;
  int finished;
  int attempts;         /* of a test that found data still missing */
  int is_shared_memory; /* with strong consistency: another thread reads into the same memory at the
                           same time */
  size_t left;          /* bytes to be moved */
  size_t moved;
  struct upcr_io_memory memory;
  const upc_filevec_t *ranges;
  size_t range_count;
  size_t range_index;
  size_t range_offset;
  long arguments[UPCR_IO_VALUES]; /* with a common file pointer they must be equal */
  /* The entries of memory and ranges where the program has given no list. */
  upc_local_memvec_t one_local;
  struct upcr_shared_memvec one_shared;
  upc_filevec_t one_range;
  /* Copies of the program's lists, of an asynchronous operation. */
  void *memory_copy;
  void *range_copy;
};

/* An open file: what each thread has for itself. */
struct upcr_open_file {
  struct upcr_open_file *next;
  upcr_addr_t handle;
  struct upcr_file *common; /* over MPI, this thread's part */
#ifdef UPCR_MPI
  struct upcr_io_cell *seen; /* those of all threads in the latest exchange */
#endif
  int descriptor;
  int flags;     /* of upc_all_fopen, as changed since */
  long position; /* the file pointer; a common one has the same value in every thread */
  uint32_t exchanges;
  int changed; /* since the last upc_all_fsync */
  char *name;  /* as the program gave it */
  char *path;  /* where the file is */
  size_t hint_count;
  struct upc_hint *hints;
  int outstanding; /* whether `operation` is */
  int cannot_test; /* the file system cannot read without waiting */
  struct upcr_io_operation operation;
};

/* ---- Files and exchanges (io_file.c) ---- */

/* The file of a handle; null, with errno, if there is none, or an operation is outstanding on it.
 */
UPCR_HIDDEN struct upcr_open_file *upcr_io_file(upcr_pts handle);
/* Also one with an operation outstanding. */
UPCR_HIDDEN struct upcr_open_file *upcr_io_any_file(upcr_pts handle);
/* To be filled before an exchange. */
UPCR_HIDDEN struct upcr_io_cell *upcr_io_mine(struct upcr_open_file *file);
/* Waits for all threads; then each can see what the others have put in. */
UPCR_HIDDEN void upcr_io_exchange(struct upcr_open_file *file, enum upcr_kind kind);
/* The message of `thread` in the latest exchange. */
UPCR_HIDDEN const struct upcr_io_cell *upcr_io_of(const struct upcr_open_file *file, int thread);
/* After an exchange: ends the program unless the values are equal on all threads, as the
 * specification wants it of arguments with these names. */
UPCR_HIDDEN void upcr_io_require_equal(const struct upcr_open_file *file, enum upcr_kind kind,
                                       int count, const char *const *names);
/* After an exchange: whether the values differ; then thread 0 warns that all take its own, as other
 * runtimes do. */
UPCR_HIDDEN int upcr_io_unequal(const struct upcr_open_file *file, enum upcr_kind kind, int count,
                                const char *const *names);
/* After an exchange: the first error that any thread had, 0 for none. */
UPCR_HIDDEN int upcr_io_first_error(const struct upcr_open_file *file);
/* 0, or -1 with errno, the same on all threads: whether one had an error. Waits for all. */
UPCR_HIDDEN int upcr_io_agree(struct upcr_open_file *file, enum upcr_kind kind, int error);
/* Sets a hint, which replaces one with the same key. Returns an errno. */
UPCR_HIDDEN int upcr_io_add_hint(struct upcr_open_file *file, const struct upc_hint *hint);
/* Around what only one thread may do at a time. */
UPCR_HIDDEN void upcr_io_enter(struct upcr_open_file *file);
UPCR_HIDDEN void upcr_io_leave(struct upcr_open_file *file);
/* Size of the file in bytes, or -1 with errno. */
UPCR_HIDDEN long upcr_io_size(const struct upcr_open_file *file);

/* ---- Control (io_control.c) ---- */

/* The work of upc_all_fsync: waits for all, makes the written data durable, waits again. */
UPCR_HIDDEN int upcr_io_sync(struct upcr_open_file *file, enum upcr_kind kind);
static inline int upcr_io_can_read(const struct upcr_open_file *file) {
  return (file->flags & (UPC_RDONLY | UPC_RDWR)) != 0;
}
static inline int upcr_io_is_strong(const struct upcr_open_file *file) {
  return (file->flags & UPC_STRONG_CA) != 0;
}
static inline int upcr_io_can_write(const struct upcr_open_file *file) {
  return (file->flags & (UPC_WRONLY | UPC_RDWR)) != 0;
}

/* ---- Memory (io_memory.c) ---- */

/* At byte `skip` of the sequence. */
UPCR_HIDDEN void upcr_io_memory_start(struct upcr_io_memory *memory, size_t skip);
/* Where in memory an operation's data is, at most: bytes of the segment of one thread, or of the
 * segments of all. */
struct upcr_io_span {
  int thread; /* -1 for all */
  upcr_addr_t begin, end;
};
/* Of the whole sequence; empty if there is none in shared memory. */
UPCR_HIDDEN struct upcr_io_span upcr_io_memory_span(const struct upcr_io_memory *memory);
UPCR_HIDDEN int upcr_io_spans_meet(struct upcr_io_span one, struct upcr_io_span other);
UPCR_HIDDEN void upcr_io_memory_advance(struct upcr_io_memory *memory, size_t bytes);
/* Copies the next `bytes` from or to a buffer, and advances. */
UPCR_HIDDEN void upcr_io_memory_gather(struct upcr_io_memory *memory, char *buffer, size_t bytes);
UPCR_HIDDEN void upcr_io_memory_scatter(struct upcr_io_memory *memory, char *buffer, size_t bytes);

/* ---- Transfer (io_transfer.c) ---- */

/* Moves the operation's data until it is finished, or, with `without_waiting`, data would have to
 * be waited for. */
UPCR_HIDDEN void upcr_io_run(struct upcr_open_file *file, struct upcr_io_operation *operation,
                             int without_waiting);
/* Lets the system fetch data that will be read. */
UPCR_HIDDEN void upcr_io_announce(struct upcr_open_file *file,
                                  const struct upcr_io_operation *operation);

#endif
