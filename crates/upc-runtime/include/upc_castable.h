/* Pointers to the memory of other threads (UPC 1.3, optional). All shared memory is mapped in every
 * thread, so every pointer-to-shared can become a pointer. */
#ifndef UPCR_UPC_CASTABLE_H
#define UPCR_UPC_CASTABLE_H

#include <stddef.h>

/* By how memory came to be: what of it can be cast. */
#define UPC_CASTABLE_ALL_ALLOC 1
#define UPC_CASTABLE_GLOBAL_ALLOC 2
#define UPC_CASTABLE_ALLOC 4
#define UPC_CASTABLE_STATIC 8
#define UPC_CASTABLE_ALL 15

typedef struct upc_thread_info {
  int guaranteedCastable;
  int probablyCastable;
} upc_thread_info_t;

#ifdef __UPC__
/* A pointer to the same memory; null if there is none. */
extern void *upc_cast(const shared void *__ptr);
/* Parts of this thread's memory for which upc_cast can be used. */
extern upc_thread_info_t upc_thread_info(size_t __threadid);
#endif

#endif
