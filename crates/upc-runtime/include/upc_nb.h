/* Copies that need not be complete when the call returns (UPC 1.3, optional). All memory is in one
 * node, so they are complete at once, and there is nothing left to wait for. */
#ifndef UPCR_UPC_NB_H
#define UPCR_UPC_NB_H

#include <stddef.h>

typedef struct upcr_transfer *upc_handle_t;
#ifndef UPC_COMPLETE_HANDLE
#define UPC_COMPLETE_HANDLE ((upc_handle_t)0)
#endif

/* ---- With a handle; each must be given to upc_sync, or to upc_sync_attempt until that returns 1
 * ---- */

extern upc_handle_t upc_memcpy_nb(shared void *__restrict __dst,
                                  shared const void *__restrict __src, size_t __n);
extern upc_handle_t upc_memget_nb(void *__restrict __dst, shared const void *__restrict __src,
                                  size_t __n);
extern upc_handle_t upc_memput_nb(shared void *__restrict __dst, const void *__restrict __src,
                                  size_t __n);
extern upc_handle_t upc_memset_nb(shared void *__dst, int __c, size_t __n);
extern int upc_sync_attempt(upc_handle_t __handle);
extern void upc_sync(upc_handle_t __handle);

/* ---- Without; upc_synci completes all that this thread has begun ---- */

extern void upc_memcpy_nbi(shared void *__restrict __dst, shared const void *__restrict __src,
                           size_t __n);
extern void upc_memget_nbi(void *__restrict __dst, shared const void *__restrict __src, size_t __n);
extern void upc_memput_nbi(shared void *__restrict __dst, const void *__restrict __src, size_t __n);
extern void upc_memset_nbi(shared void *__dst, int __c, size_t __n);
extern int upc_synci_attempt(void);
extern void upc_synci(void);

#endif
