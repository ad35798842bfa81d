/* Berkeley UPC's functions on pointers-to-shared: in words, from and to plain pointers, arithmetic
 * with a block size that is not constant, and how far threads are from each other. */
#ifndef UPCR_BUPC_POINTERS_H
#define UPCR_BUPC_POINTERS_H

/* How far threads are from each other; larger is farther. All threads of a program are in one node.
 */
#define BUPC_THREADS_SAME 0
#define BUPC_THREADS_VERYNEAR 10
#define BUPC_THREADS_NEAR 20
#define BUPC_THREADS_FAR 30
#define BUPC_THREADS_VERYFAR 40

/* Bytes that every pointer-to-shared fits in, in words. */
#define BUPC_DUMP_MIN_LENGTH 100

#ifdef __UPC__

#include <stddef.h>

extern unsigned int bupc_thread_distance(int __one, int __other);

/* 0, or -1 with errno EINVAL if `size` is below BUPC_DUMP_MIN_LENGTH. */
extern int bupc_dump_shared(shared const void *__ptr, char *__text, int __size);

/* A pointer to the same memory; null if there is none. */
extern void *bupc_cast(shared const void *__ptr);
extern int bupc_castable(shared const void *__ptr);
extern int bupc_thread_castable(unsigned int __threadid);
/* The pointer-to-shared, of phase 0, to memory that a plain pointer points to; null if it is not
 * shared. */
extern shared void *bupc_inverse_cast(void *__ptr);
extern shared void *bupc_local_to_shared(void *__ptr, int __threadid, int __phase);

/* (shared [blockelems] T *)ptr + n, where a T has `size` bytes. */
extern shared void *bupc_ptradd(shared void *__ptr, size_t __blockelems, size_t __size,
                                ptrdiff_t __n);

#endif
#endif
