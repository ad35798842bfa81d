/* Events around the copies of upc_nb.h and of Berkeley UPC. All are complete when they return, so
 * they appear as the blocking ones; those between several places as one copy of the sum, with the
 * addresses of the first piece, because all pieces of one side have affinity to one thread. */
#include "inst.h"
#include "lists.h"
#include "pgas_upcr_calls.h"

typedef struct upcr_transfer *handle_type;

/* A function that returns nothing, and one that returns a handle. */
#define CALL_VOID(tag, name, parameters, arguments, ...)              \
  extern void name(UNPACK parameters);                                \
  void upcr_i_##name(UNPACK parameters, const char *file, int line) { \
    UPCR_REPORTED(name arguments, tag, __VA_ARGS__);                  \
  }
#define CALL_HANDLE(tag, name, parameters, arguments, ...)                   \
  extern handle_type name(UNPACK parameters);                                \
  handle_type upcr_i_##name(UNPACK parameters, const char *file, int line) { \
    handle_type handle;                                                      \
    UPCR_REPORTED(handle = name arguments, tag, __VA_ARGS__);                \
    return handle;                                                           \
  }
#define UNPACK(...) __VA_ARGS__

/* ---- One piece ---- */

#define TRANSFERS(CALL, cpy, get, put, set)                                                      \
  CALL(GASP_UPC_MEMCPY, cpy, (upcr_pts to, upcr_pts from, size_t n), (to, from, n), (void *)&to, \
       (void *)&from, n)                                                                         \
  CALL(GASP_UPC_MEMGET, get, (void *to, upcr_pts from, size_t n), (to, from, n), to,             \
       (void *)&from, n)                                                                         \
  CALL(GASP_UPC_MEMPUT, put, (upcr_pts to, const void *from, size_t n), (to, from, n),           \
       (void *)&to, (void *)from, n)                                                             \
  CALL(GASP_UPC_MEMSET, set, (upcr_pts to, int c, size_t n), (to, c, n), (void *)&to, c, n)
TRANSFERS(CALL_HANDLE, upc_memcpy_nb, upc_memget_nb, upc_memput_nb, upc_memset_nb)
TRANSFERS(CALL_VOID, upc_memcpy_nbi, upc_memget_nbi, upc_memput_nbi, upc_memset_nbi)
TRANSFERS(CALL_HANDLE, bupc_memcpy_async, bupc_memget_async, bupc_memput_async, bupc_memset_async)
TRANSFERS(CALL_VOID, bupc_memcpy_asynci, bupc_memget_asynci, bupc_memput_asynci, bupc_memset_asynci)

/* A copy, and then the post that says so. */
#define SIGNAL(name)                                                                            \
  void upcr_i_##name(upcr_pts to, const void *from, size_t n, upcr_pts sem, size_t posts,       \
                     const char *file, int line) {                                              \
    UPCR_REPORTED(upcr_put_bytes(to.addr, from, n), GASP_UPC_MEMPUT, (void *)&to, (void *)from, \
                  n);                                                                           \
    UPCR_REPORTED(upcr_semaphore_post(sem, posts, #name), GASP_UPC_POST, (void *)&sem, posts);  \
  }
SIGNAL(bupc_memput_signal)
SIGNAL(bupc_memput_signal_async)

/* ---- Several pieces: `TO` and `FROM` are what the tool is told about each side ---- */

static upcr_pts null;

#define SHARED_PIECE(list, count) \
  ((count) != 0 ? (void *)&((const struct upcr_shared_piece *)(list))->addr : (void *)&null)
#define PRIVATE_PIECE(list, count) \
  ((count) != 0 ? ((const struct upcr_private_piece *)(list))->addr : NULL)
#define SHARED_ADDRESS(list, count) ((count) != 0 ? (void *)(list) : (void *)&null)
#define PRIVATE_ADDRESS(list, count) ((count) != 0 ? *(void *const *)(list) : NULL)

static size_t sum_shared(size_t count, const void *list) {
  size_t sum = 0;
  for (size_t i = 0; i < count; i++) sum += ((const struct upcr_shared_piece *)list)[i].bytes;
  return sum;
}
static size_t sum_private(size_t count, const void *list) {
  size_t sum = 0;
  for (size_t i = 0; i < count; i++) sum += ((const struct upcr_private_piece *)list)[i].bytes;
  return sum;
}
static size_t sum_section(const size_t *count, size_t levels) {
  size_t sum = 1;
  for (size_t i = 0; i <= levels; i++) sum *= count[i];
  return sum;
}

#define VLIST(CALL, tag, name, to_of, from_of, sum_of)                                    \
  CALL(tag, name, (size_t to_count, const void *to, size_t from_count, const void *from), \
       (to_count, to, from_count, from), to_of(to, to_count), from_of(from, from_count),  \
       sum_of(from_count, from))
#define ILIST(CALL, tag, name, to_of, from_of)                                                 \
  CALL(tag, name,                                                                              \
       (size_t to_count, const void *to, size_t to_bytes, size_t from_count, const void *from, \
        size_t from_bytes),                                                                    \
       (to_count, to, to_bytes, from_count, from, from_bytes), to_of(to, to_count),            \
       from_of(from, from_count), from_count *from_bytes)
#define FSTRIDED(CALL, tag, name, to_type, to_of, from_type, from_of)                         \
  CALL(tag, name,                                                                             \
       (to_type to, size_t to_bytes, size_t to_stride, size_t to_count, from_type from,       \
        size_t from_bytes, size_t from_stride, size_t from_count),                            \
       (to, to_bytes, to_stride, to_count, from, from_bytes, from_stride, from_count), to_of, \
       from_of, from_count *from_bytes)
#define STRIDED(CALL, tag, name, to_type, to_of, from_type, from_of)                      \
  CALL(tag, name,                                                                         \
       (to_type to, const size_t *to_strides, from_type from, const size_t *from_strides, \
        const size_t *count, size_t levels),                                              \
       (to, to_strides, from, from_strides, count, levels), to_of, from_of,               \
       sum_section(count, levels))

#define LISTS(CALL, end)                                                                          \
  VLIST(CALL, GASP_UPC_MEMCPY, bupc_memcpy_vlist##end, SHARED_PIECE, SHARED_PIECE, sum_shared)    \
  VLIST(CALL, GASP_UPC_MEMPUT, bupc_memput_vlist##end, SHARED_PIECE, PRIVATE_PIECE, sum_private)  \
  VLIST(CALL, GASP_UPC_MEMGET, bupc_memget_vlist##end, PRIVATE_PIECE, SHARED_PIECE, sum_shared)   \
  ILIST(CALL, GASP_UPC_MEMCPY, bupc_memcpy_ilist##end, SHARED_ADDRESS, SHARED_ADDRESS)            \
  ILIST(CALL, GASP_UPC_MEMPUT, bupc_memput_ilist##end, SHARED_ADDRESS, PRIVATE_ADDRESS)           \
  ILIST(CALL, GASP_UPC_MEMGET, bupc_memget_ilist##end, PRIVATE_ADDRESS, SHARED_ADDRESS)           \
  FSTRIDED(CALL, GASP_UPC_MEMCPY, bupc_memcpy_fstrided##end, upcr_pts, (void *)&to, upcr_pts,     \
           (void *)&from)                                                                         \
  FSTRIDED(CALL, GASP_UPC_MEMPUT, bupc_memput_fstrided##end, upcr_pts, (void *)&to, const void *, \
           (void *)from)                                                                          \
  FSTRIDED(CALL, GASP_UPC_MEMGET, bupc_memget_fstrided##end, void *, to, upcr_pts, (void *)&from) \
  STRIDED(CALL, GASP_UPC_MEMCPY, bupc_memcpy_strided##end, upcr_pts, (void *)&to, upcr_pts,       \
          (void *)&from)                                                                          \
  STRIDED(CALL, GASP_UPC_MEMPUT, bupc_memput_strided##end, upcr_pts, (void *)&to, const void *,   \
          (void *)from)                                                                           \
  STRIDED(CALL, GASP_UPC_MEMGET, bupc_memget_strided##end, void *, to, upcr_pts, (void *)&from)
LISTS(CALL_VOID, )
LISTS(CALL_HANDLE, _async)
