/* For tests of the runtime: what the UPC compiler would declare, and ways to check. Compiled with pgas_upcr.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <unistd.h>

#include "upc_tick.h"
#include "upc_types.h"

extern upcr_pts upc_global_alloc(size_t, size_t), upc_all_alloc(size_t, size_t), upc_alloc(size_t);
extern upcr_pts upc_local_alloc(size_t, size_t);
extern void upc_free(upcr_pts), upc_all_free(upcr_pts);
extern upcr_pts upc_global_lock_alloc(void), upc_all_lock_alloc(void);
extern void upc_lock(upcr_pts), upc_unlock(upcr_pts), upc_lock_free(upcr_pts), upc_all_lock_free(upcr_pts);
extern int upc_lock_attempt(upcr_pts);
extern void upc_memcpy(upcr_pts, upcr_pts, size_t), upc_memget(void *, upcr_pts, size_t);
extern void upc_memput(upcr_pts, const void *, size_t), upc_memset(upcr_pts, int, size_t);
extern size_t upc_threadof(upcr_pts), upc_phaseof(upcr_pts), upc_addrfield(upcr_pts);
extern size_t upc_affinitysize(size_t, size_t, size_t);
extern upcr_pts upc_resetphase(upcr_pts);
extern void upc_global_exit(int) __attribute__((noreturn));
extern void upc_all_broadcast(upcr_pts, upcr_pts, size_t, int), upc_all_scatter(upcr_pts, upcr_pts, size_t, int);
extern void upc_all_gather(upcr_pts, upcr_pts, size_t, int), upc_all_gather_all(upcr_pts, upcr_pts, size_t, int);
extern void upc_all_exchange(upcr_pts, upcr_pts, size_t, int);
extern void upc_all_permute(upcr_pts, upcr_pts, upcr_pts, size_t, int);

/* shared [block] type name[...]: `local` bytes on each thread. */
#define SHARED(name, local)                                                                               \
  struct upcr_object upcr_def_##name __asm__(#name)                                                       \
      __attribute__((weak)) = {0, local, 1, 1, 1, 1, __LINE__, #name, __FILE__};                          \
  static struct upcr_object *const upcr_ref_##name __attribute__((section("upcr_objects"), used)) =       \
      &upcr_def_##name;                                                                                   \
  extern const struct upcr_object upcr_obj_##name __asm__(#name)
#define BASE(name) upcr_make(upcr_obj_##name.addr, 0)
#define ON(name, thread, type) (*(volatile type *)(upcr_obj_##name.addr + ((unsigned long)(thread) << UPCR_SHIFT)))
#define barrier() upcr_barrier(0, 0, __FILE__, __LINE__)

#define MYTHREAD upcr_mythread
#ifdef UPCR_STATIC_THREADS
#define THREADS UPCR_STATIC_THREADS
const int upcr_static_threads = UPCR_STATIC_THREADS;
#else
#define THREADS upcr_threads
const int upcr_static_threads = 0;
#endif

#define CHECK(condition, ...)                                                         \
  do {                                                                                \
    if (!(condition)) {                                                               \
      printf("%s:%d: thread %d of %d: %s: ", __FILE__, __LINE__, MYTHREAD, THREADS, #condition); \
      printf(__VA_ARGS__);                                                            \
      printf("\n");                                                                   \
      upc_global_exit(99);                                                            \
    }                                                                                 \
  } while (0)

/* A generator of its own for each seed (xorshift). */
static inline unsigned long next_random(unsigned long *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

#define OK()                             \
  do {                                   \
    barrier();                           \
    if (MYTHREAD == 0) printf("OK\n");   \
  } while (0)
