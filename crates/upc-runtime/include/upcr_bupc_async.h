/* Berkeley UPC's copies that need not be complete when the call returns, and copies between several
 * places at once. All memory is in one node, so all are complete at once. */
#ifndef UPCR_BUPC_ASYNC_H
#define UPCR_BUPC_ASYNC_H

#include <stddef.h>

typedef struct upcr_transfer *bupc_handle_t;
#define BUPC_COMPLETE_HANDLE ((bupc_handle_t)0)

/* ---- With a handle ---- */

extern bupc_handle_t bupc_memcpy_async(shared void *__dst, shared const void *__src, size_t __n);
extern bupc_handle_t bupc_memget_async(void *__dst, shared const void *__src, size_t __n);
extern bupc_handle_t bupc_memput_async(shared void *__dst, const void *__src, size_t __n);
extern bupc_handle_t bupc_memset_async(shared void *__dst, int __c, size_t __n);
extern void bupc_waitsync(bupc_handle_t __handle);
extern int bupc_trysync(bupc_handle_t __handle);
extern void bupc_waitsync_all(bupc_handle_t *__handles, size_t __n);
extern int bupc_trysync_all(bupc_handle_t *__handles, size_t __n);
extern void bupc_waitsync_some(bupc_handle_t *__handles, size_t __n);
extern int bupc_trysync_some(bupc_handle_t *__handles, size_t __n);

/* ---- Without; those between begin and end of a region get one handle together ---- */

extern void bupc_memcpy_asynci(shared void *__dst, shared const void *__src, size_t __n);
extern void bupc_memget_asynci(void *__dst, shared const void *__src, size_t __n);
extern void bupc_memput_asynci(shared void *__dst, const void *__src, size_t __n);
extern void bupc_memset_asynci(shared void *__dst, int __c, size_t __n);
extern void bupc_waitsynci(void);
extern int bupc_trysynci(void);
extern void bupc_begin_accessregion(void);
extern bupc_handle_t bupc_end_accessregion(void);
extern void bupc_begin_nbi_accessregion(void);
extern bupc_handle_t bupc_end_nbi_accessregion(void);

/* ---- Several places at once. Both sides may be cut differently; the sums must be equal ---- */

/* Programs ask by these which of the forms there are: all. */
#define BUPC_SG_DESIGN_A 1
#define BUPC_SG_DESIGN_B 1
#define BUPC_STRIDED_DESIGN_A 1
#define BUPC_STRIDED_DESIGN_B 1

typedef struct {
  void *addr;
  size_t len;
} bupc_pmemvec_t;
typedef struct {
  shared void *addr;
  size_t len;
} bupc_smemvec_t;

#define UPCR_LISTS(upcr_result, upcr_end)                                                          \
  /* Lists of pieces. */                                                                           \
  extern upcr_result bupc_memcpy_vlist##upcr_end(size_t, bupc_smemvec_t const[], size_t,           \
                                                 bupc_smemvec_t const[]);                          \
  extern upcr_result bupc_memput_vlist##upcr_end(size_t, bupc_smemvec_t const[], size_t,           \
                                                 bupc_pmemvec_t const[]);                          \
  extern upcr_result bupc_memget_vlist##upcr_end(size_t, bupc_pmemvec_t const[], size_t,           \
                                                 bupc_smemvec_t const[]);                          \
  /* Lists of addresses, of pieces of one length: count, list, length of the destination, then of  \
   * the source. */                                                                                \
  extern upcr_result bupc_memcpy_ilist##upcr_end(size_t, shared void *const[], size_t, size_t,     \
                                                 shared const void *const[], size_t);              \
  extern upcr_result bupc_memput_ilist##upcr_end(size_t, shared void *const[], size_t, size_t,     \
                                                 const void *const[], size_t);                     \
  extern upcr_result bupc_memget_ilist##upcr_end(size_t, void *const[], size_t, size_t,            \
                                                 shared const void *const[], size_t);              \
  /* Pieces at a distance: address, length, distance of begins, count. */                          \
  extern upcr_result bupc_memcpy_fstrided##upcr_end(shared void *, size_t, size_t, size_t,         \
                                                    shared const void *, size_t, size_t, size_t);  \
  extern upcr_result bupc_memput_fstrided##upcr_end(shared void *, size_t, size_t, size_t,         \
                                                    const void *, size_t, size_t, size_t);         \
  extern upcr_result bupc_memget_fstrided##upcr_end(void *, size_t, size_t, size_t,                \
                                                    shared const void *, size_t, size_t, size_t);  \
  /* Sections of arrays: address and distances of each side, counts, levels. */                    \
  /* Level i repeats what is below counts[i + 1] times, at distances[i] bytes; */                  \
  /* counts[0] bytes lie side by side. */                                                          \
  extern upcr_result bupc_memcpy_strided##upcr_end(                                                \
      shared void *, const size_t[], shared const void *, const size_t[], const size_t[], size_t); \
  extern upcr_result bupc_memput_strided##upcr_end(shared void *, const size_t[], const void *,    \
                                                   const size_t[], const size_t[], size_t);        \
  extern upcr_result bupc_memget_strided##upcr_end(void *, const size_t[], shared const void *,    \
                                                   const size_t[], const size_t[], size_t);
UPCR_LISTS(void, )
UPCR_LISTS(bupc_handle_t, _async)
#undef UPCR_LISTS

#endif
