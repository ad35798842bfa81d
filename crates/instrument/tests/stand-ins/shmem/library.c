/* A small SHMEM library. As with the real ones, functions have a second name, by which tools call
 * them, but not those that are an extension. -DPLAIN: a library without second names. */
#include "shmem.h"

#ifdef PLAIN
#define SECOND(name)
#else
#define SECOND(name) extern void p##name(void) __attribute__((alias(#name)));
#endif

__attribute__((weak)) void shmem_init(void) {}
__attribute__((weak)) void shmem_finalize(void) {}
__attribute__((weak)) void shmem_barrier_all(void) {}
__attribute__((weak)) int shmem_extra(int value) { return value; }
SECOND(shmem_init)
SECOND(shmem_finalize)
SECOND(shmem_barrier_all)
