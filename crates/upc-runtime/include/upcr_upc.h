/* The required library of UPC 1.3 (section 7.2): allocation, locks, string handling, queries, exit.
 */
#ifndef UPCR_UPC_H
#define UPCR_UPC_H

/* Programs written for other compilers rely on their headers for these two. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "upcr_upc_types.h"

/* ---- Ending the program ---- */

extern void upc_global_exit(int __status) __attribute__((__noreturn__));

/* ---- Allocation ---- */

/* By one thread, distributed over all of them. */
extern shared void *upc_global_alloc(size_t __nblocks, size_t __nbytes);
/* By all threads together: one allocation, the same pointer everywhere. */
extern shared void *upc_all_alloc(size_t __nblocks, size_t __nbytes);
/* With affinity to the calling thread. */
extern shared void *upc_alloc(size_t __nbytes);
/* The form of UPC 1.0; use upc_alloc(nblocks * nbytes). */
extern shared void *upc_local_alloc(size_t __nblocks, size_t __nbytes);
extern void upc_free(shared void *__ptr);
extern void upc_all_free(shared void *__ptr);

/* ---- Locks ---- */

typedef shared struct upcr_lock upc_lock_t;

extern upc_lock_t *upc_global_lock_alloc(void);
extern upc_lock_t *upc_all_lock_alloc(void);
extern void upc_lock(upc_lock_t *__lock);
/* 1 if the lock was taken, 0 if another thread has it. */
extern int upc_lock_attempt(upc_lock_t *__lock);
extern void upc_unlock(upc_lock_t *__lock);
extern void upc_lock_free(upc_lock_t *__lock);
extern void upc_all_lock_free(upc_lock_t *__lock);

/* ---- Copying and setting shared memory, each side with affinity to one thread ---- */

extern void upc_memcpy(shared void *__restrict __dst, shared const void *__restrict __src,
                       size_t __n);
extern void upc_memget(void *__restrict __dst, shared const void *__restrict __src, size_t __n);
extern void upc_memput(shared void *__restrict __dst, const void *__restrict __src, size_t __n);
extern void upc_memset(shared void *__dst, int __c, size_t __n);

/* ---- Queries on pointers-to-shared ---- */

extern size_t upc_threadof(shared void *__ptr);
extern size_t upc_phaseof(shared void *__ptr);
extern shared void *upc_resetphase(shared void *__ptr);
extern size_t upc_addrfield(shared void *__ptr);
/* Bytes with affinity to a thread of an allocation of `totalsize` bytes in blocks of `nbytes`. */
extern size_t upc_affinitysize(size_t __totalsize, size_t __nbytes, size_t __threadid);

/* ---- Beyond the specification ---- */

/* Gives way to other threads, and orders accesses as upc_fence does; for loops that wait for a
 * shared variable. GNU UPC, Clang UPC and Berkeley UPC have it. */
extern void upc_poll(void);

#include "upcr_bupc_extensions.h"

#endif
