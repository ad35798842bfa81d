/* GASP events around the calls of upc_io.h in an instrumented program. A file of its own, so that a
 * program without such calls has nothing of it. */
#include <errno.h>

#include "io.h"

#define UNPACK(...) __VA_ARGS__
#define WRAP(type, name, parameters, arguments)                       \
  extern type name(UNPACK parameters);                                \
  type upcr_i_##name(UNPACK parameters, const char *file, int line);  \
  type upcr_i_##name(UNPACK parameters, const char *file, int line) { \
    upcr_report_io(0, #name, file, line);                             \
    type result = name arguments;                                     \
    int error = errno; /* the tool may change it */                   \
    upcr_report_io(1, #name, file, line);                             \
    errno = error;                                                    \
    return result;                                                    \
  }
#define WRAP_VOID(name, parameters, arguments)                        \
  extern void name(UNPACK parameters);                                \
  void upcr_i_##name(UNPACK parameters, const char *file, int line);  \
  void upcr_i_##name(UNPACK parameters, const char *file, int line) { \
    upcr_report_io(0, #name, file, line);                             \
    name arguments;                                                   \
    upcr_report_io(1, #name, file, line);                             \
  }

WRAP(upcr_pts, upc_all_fopen,
     (const char *name, int flags, size_t hint_count, const struct upc_hint *hints),
     (name, flags, hint_count, hints))
WRAP(int, upc_all_fclose, (upcr_pts f), (f))
WRAP(int, upc_all_fsync, (upcr_pts f), (f))
WRAP(long, upc_all_fseek, (upcr_pts f, long offset, int origin), (f, offset, origin))
WRAP(int, upc_all_fset_size, (upcr_pts f, long size), (f, size))
WRAP(long, upc_all_fget_size, (upcr_pts f), (f))
WRAP(int, upc_all_fpreallocate, (upcr_pts f, long size), (f, size))
WRAP(int, upc_all_fcntl, (upcr_pts f, int command, void *argument), (f, command, argument))
WRAP(long, upc_all_fwait_async, (upcr_pts f), (f))
WRAP(long, upc_all_ftest_async, (upcr_pts f, int *flag), (f, flag))

#define LOCAL (upcr_pts f, const void *buffer, size_t size, size_t number, int flags)
#define SHARED (upcr_pts f, upcr_pts buffer, size_t block, size_t size, size_t number, int flags)
#define LIST \
  (upcr_pts f, size_t entries, const void *list, size_t range_count, const void *ranges, int flags)
#define BOTH(name, parameters, arguments) \
  WRAP(long, name, parameters, arguments) \
  WRAP_VOID(name##_async, parameters, arguments)

BOTH(upc_all_fread_local, LOCAL, (f, buffer, size, number, flags))
BOTH(upc_all_fread_shared, SHARED, (f, buffer, block, size, number, flags))
BOTH(upc_all_fwrite_local, LOCAL, (f, buffer, size, number, flags))
BOTH(upc_all_fwrite_shared, SHARED, (f, buffer, block, size, number, flags))
BOTH(upc_all_fread_list_local, LIST, (f, entries, list, range_count, ranges, flags))
BOTH(upc_all_fread_list_shared, LIST, (f, entries, list, range_count, ranges, flags))
BOTH(upc_all_fwrite_list_local, LIST, (f, entries, list, range_count, ranges, flags))
BOTH(upc_all_fwrite_list_shared, LIST, (f, entries, list, range_count, ranges, flags))
