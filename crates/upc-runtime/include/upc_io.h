/* Parallel input and output, the optional library <upc_io.h> of UPC 1.3. All threads call these
 * functions together. Constants and plain structures come first and are plain C. */
#ifndef UPCR_UPC_IO_H
#define UPCR_UPC_IO_H

#include <stddef.h>
#include "upcr_upc_types.h"

/* Offsets in files and sizes of files, in bytes. */
typedef long upc_off_t;

/* ---- Flags of upc_all_fopen: one of the first three, one of the next two, any of the others ----
 */

#define UPC_RDONLY 1
#define UPC_WRONLY 2
#define UPC_RDWR 4
#define UPC_INDIVIDUAL_FP 8
#define UPC_COMMON_FP 16
#define UPC_APPEND 32 /* the file pointer begins at the end of the file */
#define UPC_CREATE 64
#define UPC_EXCL 128 /* with UPC_CREATE: the file must not exist */
#define UPC_STRONG_CA 256
#define UPC_TRUNC 512
#define UPC_DELETE_ON_CLOSE 1024

/* ---- Origins of upc_all_fseek ---- */

#define UPC_SEEK_SET 0
#define UPC_SEEK_CUR 1
#define UPC_SEEK_END 2

/* ---- Commands of upc_all_fcntl, with the type of the third argument where there is one ---- */

#define UPC_GET_CA_SEMANTICS 1 /* UPC_STRONG_CA or 0 */
#define UPC_SET_WEAK_CA_SEMANTICS 2
#define UPC_SET_STRONG_CA_SEMANTICS 3
#define UPC_GET_FP 4 /* UPC_COMMON_FP or UPC_INDIVIDUAL_FP */
#define UPC_SET_COMMON_FP 5
#define UPC_SET_INDIVIDUAL_FP 6
#define UPC_GET_FL 7
#define UPC_GET_FN 8    /* const char ** */
#define UPC_GET_HINTS 9 /* const struct upc_hint **; the number of hints */
#define UPC_SET_HINT 10 /* const struct upc_hint * */
#define UPC_ASYNC_OUTSTANDING 11

/* "file_perm" (octal) and "access_style" have an effect, other keys are only kept. */
struct upc_hint {
  const char *key;
  const char *value;
};
typedef struct upc_hint upc_hint_t;

/* A piece of private memory. */
typedef struct upc_local_memvec {
  void *baseaddr;
  size_t len;
} upc_local_memvec_t;

/* A piece of a file. */
typedef struct upc_filevec {
  upc_off_t offset;
  size_t len;
} upc_filevec_t;

#ifdef __UPC__

#include "upcr_upc.h"

/* An open file. */
typedef shared struct upcr_file upc_file_t;

/* A piece of shared memory; `blocksize` is in bytes, 0 for indefinite. */
typedef struct upc_shared_memvec {
  shared void *baseaddr;
  size_t blocksize;
  size_t len;
} upc_shared_memvec_t;

/* Each function, and in an instrumented program the one that its calls become. */
#ifdef UPCR_INST
#define UPCR_IO(upcr_type, upcr_name, ...) \
  extern upcr_type upcr_name(__VA_ARGS__); \
  extern upcr_type upcr_i_##upcr_name(__VA_ARGS__, const char *__file, int __line);
#else
#define UPCR_IO(upcr_type, upcr_name, ...) extern upcr_type upcr_name(__VA_ARGS__);
#endif

/* Null, with errno, if the file cannot be opened. All functions that return a number return -1
 * then, with errno. */
UPCR_IO(upc_file_t *, upc_all_fopen, const char *__fname, int __flags, size_t __numhints,
        struct upc_hint const *__hints)
UPCR_IO(int, upc_all_fclose, upc_file_t *__fd)
UPCR_IO(int, upc_all_fsync, upc_file_t *__fd)
UPCR_IO(upc_off_t, upc_all_fseek, upc_file_t *__fd, upc_off_t __offset, int __origin)
UPCR_IO(int, upc_all_fset_size, upc_file_t *__fd, upc_off_t __size)
UPCR_IO(upc_off_t, upc_all_fget_size, upc_file_t *__fd)
UPCR_IO(int, upc_all_fpreallocate, upc_file_t *__fd, upc_off_t __size)
UPCR_IO(int, upc_all_fcntl, upc_file_t *__fd, int __cmd, void *__arg)

/* Reading and writing at the file pointer: `nmemb` elements of `size` bytes; `blocksize` is in
 * elements. Private memory goes with individual file pointers only. The number of bytes: with a
 * common file pointer those of all threads. */
UPCR_IO(upc_off_t, upc_all_fread_local, upc_file_t *__fd, void *__buffer, size_t __size,
        size_t __nmemb, upc_flag_t __sync_mode)
UPCR_IO(upc_off_t, upc_all_fread_shared, upc_file_t *__fd, shared void *__buffer,
        size_t __blocksize, size_t __size, size_t __nmemb, upc_flag_t __sync_mode)
UPCR_IO(upc_off_t, upc_all_fwrite_local, upc_file_t *__fd, void const *__buffer, size_t __size,
        size_t __nmemb, upc_flag_t __sync_mode)
UPCR_IO(upc_off_t, upc_all_fwrite_shared, upc_file_t *__fd, shared void const *__buffer,
        size_t __blocksize, size_t __size, size_t __nmemb, upc_flag_t __sync_mode)

/* At places of the file that are given with the call; the file pointers have no part in it. */
UPCR_IO(upc_off_t, upc_all_fread_list_local, upc_file_t *__fd, size_t __memvec_entries,
        upc_local_memvec_t const *__memvec, size_t __filevec_entries,
        upc_filevec_t const *__filevec, upc_flag_t __sync_mode)
UPCR_IO(upc_off_t, upc_all_fread_list_shared, upc_file_t *__fd, size_t __memvec_entries,
        upc_shared_memvec_t const *__memvec, size_t __filevec_entries,
        upc_filevec_t const *__filevec, upc_flag_t __sync_mode)
UPCR_IO(upc_off_t, upc_all_fwrite_list_local, upc_file_t *__fd, size_t __memvec_entries,
        upc_local_memvec_t const *__memvec, size_t __filevec_entries,
        upc_filevec_t const *__filevec, upc_flag_t __sync_mode)
UPCR_IO(upc_off_t, upc_all_fwrite_list_shared, upc_file_t *__fd, size_t __memvec_entries,
        upc_shared_memvec_t const *__memvec, size_t __filevec_entries,
        upc_filevec_t const *__filevec, upc_flag_t __sync_mode)

/* The same, to be completed by upc_all_fwait_async or upc_all_ftest_async, which give the number of
 * bytes. One may be outstanding on a file, and nothing else may be done with the file meanwhile. */
UPCR_IO(void, upc_all_fread_local_async, upc_file_t *__fd, void *__buffer, size_t __size,
        size_t __nmemb, upc_flag_t __sync_mode)
UPCR_IO(void, upc_all_fread_shared_async, upc_file_t *__fd, shared void *__buffer,
        size_t __blocksize, size_t __size, size_t __nmemb, upc_flag_t __sync_mode)
UPCR_IO(void, upc_all_fwrite_local_async, upc_file_t *__fd, void const *__buffer, size_t __size,
        size_t __nmemb, upc_flag_t __sync_mode)
UPCR_IO(void, upc_all_fwrite_shared_async, upc_file_t *__fd, shared void const *__buffer,
        size_t __blocksize, size_t __size, size_t __nmemb, upc_flag_t __sync_mode)
UPCR_IO(void, upc_all_fread_list_local_async, upc_file_t *__fd, size_t __memvec_entries,
        upc_local_memvec_t const *__memvec, size_t __filevec_entries,
        upc_filevec_t const *__filevec, upc_flag_t __sync_mode)
UPCR_IO(void, upc_all_fread_list_shared_async, upc_file_t *__fd, size_t __memvec_entries,
        upc_shared_memvec_t const *__memvec, size_t __filevec_entries,
        upc_filevec_t const *__filevec, upc_flag_t __sync_mode)
UPCR_IO(void, upc_all_fwrite_list_local_async, upc_file_t *__fd, size_t __memvec_entries,
        upc_local_memvec_t const *__memvec, size_t __filevec_entries,
        upc_filevec_t const *__filevec, upc_flag_t __sync_mode)
UPCR_IO(void, upc_all_fwrite_list_shared_async, upc_file_t *__fd, size_t __memvec_entries,
        upc_shared_memvec_t const *__memvec, size_t __filevec_entries,
        upc_filevec_t const *__filevec, upc_flag_t __sync_mode)
UPCR_IO(upc_off_t, upc_all_fwait_async, upc_file_t *__fd)
UPCR_IO(upc_off_t, upc_all_ftest_async, upc_file_t *__fd, int *__flag)

#undef UPCR_IO

#endif /* __UPC__ */

#endif
