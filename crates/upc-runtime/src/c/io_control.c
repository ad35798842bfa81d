/* Everything about an open file but its data: file pointers, size, consistency, and what was said
 * at its opening. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include "io.h"

/* ---- Consistency; on one node all threads see what any has written, so this is about the storage
 * ---- */

int upcr_io_sync(struct upcr_open_file *f, enum upcr_kind kind) {
  upcr_io_mine(f)->result = f->changed;
  upcr_io_exchange(f, kind);
  int error = 0;
  if (upcr_mythread == 0) {
    int changed = 0;
    for (int t = 0; t < upcr_threads; t++) changed |= upcr_io_of(f, t)->result != 0;
    /* Devices that cannot do it have nothing to lose. */
    if (changed && fsync(f->descriptor) != 0 && errno != EINVAL && errno != EROFS) error = errno;
  }
  int result = upcr_io_agree(f, kind, error);
  if (result == 0) f->changed = 0;
  return result;
}

UPCR_LIBRARY int upc_all_fsync(upcr_pts handle) {
  struct upcr_open_file *f = upcr_io_file(handle);
  return f == NULL ? -1 : upcr_io_sync(f, UPCR_AT_FSYNC);
}

/* ---- File pointers ---- */

UPCR_LIBRARY long upc_all_fseek(upcr_pts handle, long offset, int origin) {
  static const char *const names[] = {"the offset", "the origin"};
  struct upcr_open_file *f = upcr_io_file(handle);
  if (f == NULL) return -1;
  int is_common = (f->flags & UPC_COMMON_FP) != 0;
  /* Nothing is written between the two, so that all see the same end of the file. */
  upcr_synchronize(UPCR_AT_FSEEK, 0);
  long end = is_common || origin == UPC_SEEK_END ? upcr_io_size(f) : 0;
  struct upcr_io_cell *mine = upcr_io_mine(f);
  mine->values[0] = offset;
  mine->values[1] = origin;
  upcr_io_exchange(f, UPCR_AT_FSEEK);
  if (is_common && upcr_io_unequal(f, UPCR_AT_FSEEK, 2, names)) {
    offset = upcr_io_of(f, 0)->values[0];
    origin = (int)upcr_io_of(f, 0)->values[1];
  }
  long base = origin == UPC_SEEK_SET ? 0 : origin == UPC_SEEK_CUR ? f->position : end;
  long position;
  if ((origin != UPC_SEEK_SET && origin != UPC_SEEK_CUR && origin != UPC_SEEK_END) || base < 0 ||
      __builtin_add_overflow(base, offset, &position) || position < 0) {
    errno = EINVAL;
    return -1;
  }
  return f->position = position;
}

/* ---- Size ---- */

UPCR_LIBRARY long upc_all_fget_size(upcr_pts handle) {
  struct upcr_open_file *f = upcr_io_file(handle);
  if (f == NULL) return -1;
  upcr_synchronize(UPCR_AT_FGET_SIZE, 0);
  long size = upcr_io_size(f);
  return upcr_io_agree(f, UPCR_AT_FGET_SIZE, size < 0 ? errno : 0) != 0 ? -1 : size;
}

static int change_size(upcr_pts handle, long size, enum upcr_kind kind) {
  static const char *const names[] = {"the size"};
  struct upcr_open_file *f = upcr_io_file(handle);
  if (f == NULL) return -1;
  upcr_io_mine(f)->values[0] = size;
  upcr_io_exchange(f, kind);
  upcr_io_require_equal(f, kind, 1, names);
  if (kind == UPCR_AT_FSET_SIZE && upcr_io_sync(f, kind) != 0) return -1;
  int error = size < 0 ? EINVAL : !upcr_io_can_write(f) ? EBADF : 0;
  if (error == 0 && upcr_mythread == 0) {
    do {
      if (kind == UPCR_AT_FSET_SIZE) error = ftruncate(f->descriptor, size) == 0 ? 0 : errno;
      else if (size != 0) error = posix_fallocate(f->descriptor, 0, size);
    } while (error == EINTR);
    f->changed = 1;
  }
  return upcr_io_agree(f, kind, error);
}

UPCR_LIBRARY int upc_all_fset_size(upcr_pts handle, long size) {
  return change_size(handle, size, UPCR_AT_FSET_SIZE);
}
UPCR_LIBRARY int upc_all_fpreallocate(upcr_pts handle, long size) {
  return change_size(handle, size, UPCR_AT_FPREALLOCATE);
}

/* ---- Questions and settings ---- */

static int set_flag(struct upcr_open_file *f, int out_of, int flag) {
  if (upcr_io_sync(f, UPCR_AT_FCNTL) != 0) return -1;
  f->flags = (f->flags & ~out_of) | flag;
  return 0;
}

static int set_pointer(struct upcr_open_file *f, int flag) {
  if (set_flag(f, UPC_COMMON_FP | UPC_INDIVIDUAL_FP, flag) != 0) return -1;
  f->position = 0;
  return 0;
}

static int set_hint(struct upcr_open_file *f, const struct upc_hint *hint) {
  if (upcr_io_sync(f, UPCR_AT_FCNTL) != 0) return -1;
  return upcr_io_agree(f, UPCR_AT_FCNTL, upcr_io_add_hint(f, hint));
}

UPCR_LIBRARY int upc_all_fcntl(upcr_pts handle, int command, void *argument) {
  struct upcr_open_file *f =
      command == UPC_ASYNC_OUTSTANDING ? upcr_io_any_file(handle) : upcr_io_file(handle);
  if (f == NULL) return -1;
  switch (command) {
    case UPC_GET_CA_SEMANTICS: return f->flags & UPC_STRONG_CA;
    case UPC_SET_WEAK_CA_SEMANTICS: return set_flag(f, UPC_STRONG_CA, 0);
    case UPC_SET_STRONG_CA_SEMANTICS: return set_flag(f, UPC_STRONG_CA, UPC_STRONG_CA);
    case UPC_GET_FP: return f->flags & (UPC_COMMON_FP | UPC_INDIVIDUAL_FP);
    case UPC_SET_COMMON_FP: return set_pointer(f, UPC_COMMON_FP);
    case UPC_SET_INDIVIDUAL_FP: return set_pointer(f, UPC_INDIVIDUAL_FP);
    case UPC_GET_FL: return f->flags;
    case UPC_SET_HINT: return set_hint(f, argument);
    case UPC_ASYNC_OUTSTANDING: return f->outstanding;
    case UPC_GET_FN:
      if (argument == NULL) break;
      *(const char **)argument = f->name;
      return 0;
    case UPC_GET_HINTS:
      if (argument == NULL || f->hint_count > INT_MAX) break;
      *(const struct upc_hint **)argument = f->hints;
      return (int)f->hint_count;
  }
  errno = EINVAL;
  return -1;
}
