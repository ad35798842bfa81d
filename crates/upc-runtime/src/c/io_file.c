/* Opening and closing files, and how threads tell each other their results. Every thread opens the
 * file for itself, so that it can read and write at any place without asking the others; thread 0
 * does what may happen only once, such as creating, truncating and deleting it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io.h"

static struct upcr_open_file *files;
/* A process that the program forks must not delete files when it ends. */
static pid_t process;

/* ---- Exchanges ---- */

#ifdef UPCR_MPI
struct upcr_io_cell *upcr_io_mine(struct upcr_open_file *f) {
  return &f->common->cells[f->exchanges % 2];
}

void upcr_io_exchange(struct upcr_open_file *f, enum upcr_kind kind) {
  upcr_addr_t offset = (upcr_addr_t)upcr_io_mine(f) & UPCR_OFFSET_MASK;
  upcr_synchronize(kind, 0);
  upcr_get_from_all(f->seen, offset, sizeof *f->seen);
  f->exchanges++;
}

const struct upcr_io_cell *upcr_io_of(const struct upcr_open_file *f, int thread) {
  return &f->seen[thread];
}

void upcr_io_enter(struct upcr_open_file *f) {
  upcr_pts lock;
  upcr_get_bytes(&lock, f->handle, sizeof lock);
  upc_lock(lock);
}

void upcr_io_leave(struct upcr_open_file *f) {
  upcr_pts lock;
  upcr_get_bytes(&lock, f->handle, sizeof lock);
  upc_unlock(lock);
}
#else
static struct upcr_io_cell *cell(const struct upcr_open_file *f, uint32_t exchange, int thread) {
  return &f->common->cells[(exchange % 2) * (uint32_t)upcr_threads + (uint32_t)thread];
}

struct upcr_io_cell *upcr_io_mine(struct upcr_open_file *f) {
  return cell(f, f->exchanges, upcr_mythread);
}

void upcr_io_exchange(struct upcr_open_file *f, enum upcr_kind kind) {
  upcr_synchronize(kind, 0);
  f->exchanges++;
}

const struct upcr_io_cell *upcr_io_of(const struct upcr_open_file *f, int thread) {
  return cell(f, f->exchanges - 1, thread);
}

void upcr_io_enter(struct upcr_open_file *f) { upcr_guard_enter(&f->common->memory); }
void upcr_io_leave(struct upcr_open_file *f) { upcr_guard_leave(&f->common->memory); }
#endif

void upcr_io_require_equal(const struct upcr_open_file *f, enum upcr_kind kind, int count,
                           const char *const *names) {
  const struct upcr_io_cell *first = upcr_io_of(f, 0);
  for (int t = 1; t < upcr_threads; t++)
    for (int i = 0; i < count; i++) {
      long value = upcr_io_of(f, t)->values[i];
      if (value != first->values[i])
        upcr_fatal("thread 0 is at %s of '%s' with %s %ld, but thread %d with %ld: they must be "
                   "equal on all threads",
                   upcr_kind_names[kind], f->name, names[i], first->values[i], t, value);
    }
}

int upcr_io_unequal(const struct upcr_open_file *f, enum upcr_kind kind, int count,
                    const char *const *names) {
  const struct upcr_io_cell *first = upcr_io_of(f, 0);
  for (int t = 1; t < upcr_threads; t++)
    for (int i = 0; i < count; i++) {
      long value = upcr_io_of(f, t)->values[i];
      if (value == first->values[i]) continue;
      if (upcr_mythread == 0)
        upcr_complain("thread 0 is at %s of '%s' with %s %ld, but thread %d with %ld: they must be "
                      "equal on all threads; "
                      "thread 0's are taken",
                      upcr_kind_names[kind], f->name, names[i], first->values[i], t, value);
      return 1;
    }
  return 0;
}

int upcr_io_first_error(const struct upcr_open_file *f) {
  for (int t = 0; t < upcr_threads; t++) {
    int error = upcr_io_of(f, t)->error;
    if (error != 0) return error;
  }
  return 0;
}

int upcr_io_agree(struct upcr_open_file *f, enum upcr_kind kind, int error) {
  upcr_io_mine(f)->error = error;
  upcr_io_exchange(f, kind);
  error = upcr_io_first_error(f);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

/* ---- Handles ---- */

struct upcr_open_file *upcr_io_any_file(upcr_pts handle) {
  for (struct upcr_open_file *f = files; f != NULL; f = f->next)
    if (f->handle == handle.addr) return f;
  errno = EBADF;
  return NULL;
}

struct upcr_open_file *upcr_io_file(upcr_pts handle) {
  struct upcr_open_file *f = upcr_io_any_file(handle);
  if (f == NULL || !f->outstanding) return f;
  errno = EBUSY;
  return NULL;
}

long upcr_io_size(const struct upcr_open_file *f) {
  struct stat status;
  return fstat(f->descriptor, &status) == 0 ? status.st_size : -1;
}

static void *or_fatal(void *memory) {
  if (memory == NULL)
    upcr_fatal("thread %d: no memory for what is to be known about an open file", upcr_mythread);
  return memory;
}

/* Gives back the memory. All threads do this together, but need not wait. */
static void discard(struct upcr_open_file *f) {
  upcr_pts common = upcr_make(f->handle, 0);
#ifdef UPCR_MPI
  if (upcr_mythread == 0) upc_lock_free(f->common->memory);
  free(f->seen);
#endif
  if (upcr_heap_is_last_to_free(common, "upc_all_fclose")) upcr_heap_free(common, "upc_all_fclose");
  for (size_t i = 0; i < f->hint_count; i++) {
    free((char *)f->hints[i].key);
    free((char *)f->hints[i].value);
  }
  free(f->hints);
  free(f->name);
  free(f->path);
  free(f);
}

/* ---- Hints ---- */

/* Whether a list of words with commas has this word. */
static int has_word(const char *list, const char *word) {
  size_t length = strlen(word);
  for (const char *at = list; (at = strstr(at, word)) != NULL; at += length)
    if ((at == list || strchr(", ", at[-1]) != NULL) && strchr(", ", at[length]) != NULL) return 1;
  return 0;
}

static void apply(const struct upcr_open_file *f, const struct upc_hint *hint) {
  if (f->descriptor < 0 || strcmp(hint->key, "access_style") != 0) return;
  int advice = has_word(hint->value, "random")       ? POSIX_FADV_RANDOM
               : has_word(hint->value, "sequential") ? POSIX_FADV_SEQUENTIAL
                                                     : POSIX_FADV_NORMAL;
  posix_fadvise(f->descriptor, 0, 0, advice);
}

int upcr_io_add_hint(struct upcr_open_file *f, const struct upc_hint *hint) {
  if (hint == NULL || hint->key == NULL || hint->value == NULL) return EINVAL;
  apply(f, hint);
  char *value = or_fatal(strdup(hint->value));
  for (size_t i = 0; i < f->hint_count; i++)
    if (strcmp(f->hints[i].key, hint->key) == 0) {
      free((char *)f->hints[i].value);
      f->hints[i].value = value;
      return 0;
    }
  f->hints = or_fatal(realloc(f->hints, (f->hint_count + 1) * sizeof *f->hints));
  f->hints[f->hint_count].key = or_fatal(strdup(hint->key));
  f->hints[f->hint_count++].value = value;
  return 0;
}

/* Permissions of a new file. */
static mode_t permissions(const struct upcr_open_file *f) {
  for (size_t i = 0; i < f->hint_count; i++) {
    if (strcmp(f->hints[i].key, "file_perm") != 0) continue;
    char *end;
    unsigned long mode = strtoul(f->hints[i].value, &end, 8);
    if (*f->hints[i].value != 0 && *end == 0 && mode <= 0777) return (mode_t)mode;
  }
  return 0666;
}

/* ---- Opening ---- */

#define ACCESS (UPC_RDONLY | UPC_WRONLY | UPC_RDWR)
#define POINTER (UPC_INDIVIDUAL_FP | UPC_COMMON_FP)
#define OTHERS \
  (UPC_APPEND | UPC_CREATE | UPC_EXCL | UPC_STRONG_CA | UPC_TRUNC | UPC_DELETE_ON_CLOSE)

static int check_flags(int flags) {
  int access = flags & ACCESS, pointer = flags & POINTER;
  if ((flags & ~(ACCESS | POINTER | OTHERS)) != 0) return EINVAL;
  if (access != UPC_RDONLY && access != UPC_WRONLY && access != UPC_RDWR) return EINVAL;
  if (pointer != UPC_INDIVIDUAL_FP && pointer != UPC_COMMON_FP) return EINVAL;
  if ((flags & UPC_EXCL) != 0 && (flags & UPC_CREATE) == 0) return EINVAL;
  if ((flags & UPC_TRUNC) != 0 && access == UPC_RDONLY) return EINVAL;
  return 0;
}

static int open_as(struct upcr_open_file *f, int more, mode_t mode) {
  int access = (f->flags & UPC_RDWR) != 0     ? O_RDWR
               : (f->flags & UPC_WRONLY) != 0 ? O_WRONLY
                                              : O_RDONLY;
  /* Without O_NONBLOCK a pipe that nobody else has open would be waited for, and then refused. */
  do f->descriptor = open(f->name, access | more | O_CLOEXEC | O_NONBLOCK, mode);
  while (f->descriptor < 0 && errno == EINTR);
  if (f->descriptor < 0) return errno;
  /* Pipes and terminals have no places to read from or write to. */
  if (lseek(f->descriptor, 0, SEEK_CUR) < 0) return errno;
  return 0;
}

/* On thread 0. The file must be accessible for the other threads, whatever permissions it gets in
 * the end. */
static int open_first(struct upcr_open_file *f, int *is_new, mode_t *mode) {
  int truncate = (f->flags & UPC_TRUNC) != 0 ? O_TRUNC : 0;
  *is_new = 0;
  if ((f->flags & UPC_CREATE) != 0) {
    mode_t mask = umask(0);
    umask(mask);
    *mode = permissions(f) & ~mask;
    int error = open_as(f, O_CREAT | O_EXCL, *mode | S_IRUSR | S_IWUSR);
    *is_new = error == 0;
    if (error != EEXIST || (f->flags & UPC_EXCL) != 0) return error;
    /* A link to a file that does not exist exists, and yet the file can be created. */
    return open_as(f, truncate | O_CREAT, *mode);
  }
  return open_as(f, truncate, 0);
}

/* At the program's end files are closed, which is of interest for those to be deleted. Where it is
 * ended at once, thread 0 may not get here, so each thread that does deletes them. */
static void at_exit(void) {
  if (getpid() != process || (upcr_mythread != 0 && !atomic_load(&upcr_control->ending))) return;
  for (struct upcr_open_file *f = files; f != NULL; f = f->next)
    if ((f->flags & UPC_DELETE_ON_CLOSE) != 0) unlink(f->path);
}

static int open_all(struct upcr_open_file *f, size_t hint_count, const struct upc_hint *hints) {
  static const char *const names[] = {"the flags", "the number of hints"};
  int error = check_flags(f->flags);
  if (f->name == NULL) {
    f->name = or_fatal(strdup("(null)"));
    error = EINVAL;
  }
  if (error == 0 && hint_count != 0 && hints == NULL) error = EINVAL;
  for (size_t i = 0; i < hint_count && error == 0; i++) error = upcr_io_add_hint(f, &hints[i]);
  struct upcr_io_cell *mine = upcr_io_mine(f);
  mine->values[0] = f->flags;
  mine->values[1] = (long)hint_count;
  mine->error = error;
  upcr_io_exchange(f, UPCR_AT_FOPEN);
  upcr_io_require_equal(f, UPCR_AT_FOPEN, 2, names);
  if ((error = upcr_io_first_error(f)) != 0) return error;

  int is_new = 0;
  mode_t mode = 0;
  if (upcr_mythread == 0) error = open_first(f, &is_new, &mode);
  if (upcr_io_agree(f, UPCR_AT_FOPEN, error) != 0) return errno;

  if (upcr_mythread != 0) error = open_as(f, 0, 0);
  if (error == 0 && (f->path = realpath(f->name, NULL)) == NULL) error = errno;
  struct stat status;
  memset(&status, 0, sizeof status);
  if (error == 0 && fstat(f->descriptor, &status) != 0) error = errno;
  mine = upcr_io_mine(f);
  mine->values[0] = (long)status.st_dev;
  mine->values[1] = (long)status.st_ino;
  mine->result = status.st_size;
  mine->error = error;
  upcr_io_exchange(f, UPCR_AT_FOPEN);
  if (is_new && mode != (mode | S_IRUSR | S_IWUSR)) fchmod(f->descriptor, mode);
  if ((error = upcr_io_first_error(f)) != 0) return error;
  const struct upcr_io_cell *first = upcr_io_of(f, 0);
  for (int t = 1; t < upcr_threads; t++) {
    /* Names that lead to different files. */
    const struct upcr_io_cell *other = upcr_io_of(f, t);
    if (other->values[0] != first->values[0] || other->values[1] != first->values[1]) return EINVAL;
  }
  if ((f->flags & UPC_APPEND) != 0) f->position = first->result;
  for (size_t i = 0; i < f->hint_count; i++) apply(f, &f->hints[i]);
  return 0;
}

/* Gives the file what the threads share. */
static void make_common(struct upcr_open_file *f) {
  upcr_addr_t common = 0;
#ifdef UPCR_MPI
  if (upcr_mythread == 0) common = upcr_heap_common(sizeof *f->common, "upc_all_fopen");
  f->handle = upcr_publish(common);
  f->common = upcr_local(upcr_segment(upcr_mythread) + (f->handle & UPCR_OFFSET_MASK));
  memset(f->common, 0, sizeof *f->common);
  if (upcr_mythread == 0) f->common->memory = upc_global_lock_alloc();
  f->seen = or_fatal(calloc((size_t)upcr_threads, sizeof *f->seen));
#else
  if (upcr_mythread == 0) {
    size_t bytes = sizeof *f->common + 2 * (size_t)upcr_threads * sizeof(struct upcr_io_cell);
    common = upcr_heap_local(0, bytes, "upc_all_fopen");
    memset(upcr_local(common), 0, bytes);
  }
  f->handle = upcr_publish(common);
  f->common = upcr_local(f->handle);
#endif
}

UPCR_LIBRARY upcr_pts upc_all_fopen(const char *name, int flags, size_t hint_count,
                                    const struct upc_hint *hints) {
  struct upcr_open_file *f = or_fatal(calloc(1, sizeof *f));
  make_common(f);
  f->descriptor = -1;
  f->flags = flags;
  f->name = name == NULL ? NULL : or_fatal(strdup(name));
  int error = open_all(f, hint_count, hints);
  if (error != 0) {
    if (f->descriptor >= 0) close(f->descriptor);
    discard(f);
    errno = error;
    return upcr_null();
  }
  if (process == 0) {
    process = getpid();
    atexit(at_exit);
  }
  f->next = files;
  files = f;
  return upcr_make(f->handle, 0);
}

/* ---- Closing ---- */

UPCR_LIBRARY int upc_all_fclose(upcr_pts handle) {
  struct upcr_open_file *f = upcr_io_file(handle);
  if (f == NULL) return -1;
  /* A file that is to be deleted need not be stored. */
  if ((f->flags & UPC_DELETE_ON_CLOSE) != 0) f->changed = 0;
  int error = upcr_io_sync(f, UPCR_AT_FCLOSE) == 0 ? 0 : errno;
  if (close(f->descriptor) != 0 && error == 0) error = errno;
  if (upcr_mythread == 0 && (f->flags & UPC_DELETE_ON_CLOSE) != 0 && unlink(f->path) != 0 &&
      error == 0)
    error = errno;
  int result = upcr_io_agree(f, UPCR_AT_FCLOSE, error);
  error = errno;
  struct upcr_open_file **link = &files;
  while (*link != f) link = &(*link)->next;
  *link = f->next;
  discard(f);
  errno = error;
  return result;
}
