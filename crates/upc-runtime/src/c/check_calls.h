/* The required library as checked programs call it: each function checks its arguments, then calls
 * the real one. Included twice: CHECKED(name) is the name of the checked function, NEXT(name, ...)
 * the call of the next one, which in instrumented programs reports the event. */
#include "check_library.h"

#define AT const char *file, int line
#define HERE ((struct upcr_place){file, line})

extern upcr_pts upc_global_alloc(unsigned long blocks, unsigned long bytes);
extern upcr_pts upc_all_alloc(unsigned long blocks, unsigned long bytes);
extern upcr_pts upc_alloc(unsigned long bytes),
    upc_local_alloc(unsigned long blocks, unsigned long bytes);
extern void upc_free(upcr_pts p), upc_all_free(upcr_pts p);
extern upcr_pts upc_global_lock_alloc(void), upc_all_lock_alloc(void);
extern void upc_lock(upcr_pts l), upc_unlock(upcr_pts l), upc_lock_free(upcr_pts l),
    upc_all_lock_free(upcr_pts l);
extern int upc_lock_attempt(upcr_pts l);
extern void upc_memcpy(upcr_pts to, upcr_pts from, unsigned long n),
    upc_memget(void *to, upcr_pts from, unsigned long n);
extern void upc_memput(upcr_pts to, const void *from, unsigned long n),
    upc_memset(upcr_pts to, int c, unsigned long n);

/* ---- Barriers ---- */

extern void CHECKED(barrier)(int named, int value, AT);
void CHECKED(barrier)(int named, int value, AT) {
  upcr_check_barrier("upc_barrier", named, value, HERE);
  upcr_barrier(named, value, file, line);
}
extern void CHECKED(notify)(int named, int value, AT);
void CHECKED(notify)(int named, int value, AT) {
  upcr_check_barrier("upc_notify", named, value, HERE);
  upcr_notify(named, value, file, line);
}
extern void CHECKED(wait)(int named, int value, AT);
void CHECKED(wait)(int named, int value, AT) {
  upcr_check_wait(HERE);
  upcr_wait(named, value, file, line);
}

/* ---- Allocation ---- */

#define ALLOCATION(name, check, parameters, ...)             \
  extern upcr_pts CHECKED(name) parameters;                  \
  upcr_pts CHECKED(name) parameters {                        \
    check;                                                   \
    upcr_place = HERE;                                       \
    upcr_pts result = NEXT(name __VA_OPT__(, ) __VA_ARGS__); \
    upcr_place = (struct upcr_place){NULL, 0};               \
    return result;                                           \
  }
ALLOCATION(upc_global_alloc, , (unsigned long blocks, unsigned long bytes, AT), blocks, bytes)
ALLOCATION(upc_all_alloc, upcr_check_all_alloc(blocks, bytes, HERE),
           (unsigned long blocks, unsigned long bytes, AT), blocks, bytes)
ALLOCATION(upc_alloc, , (unsigned long bytes, AT), bytes)
ALLOCATION(upc_local_alloc, , (unsigned long blocks, unsigned long bytes, AT), blocks, bytes)
ALLOCATION(upc_global_lock_alloc, , (AT))
ALLOCATION(upc_all_lock_alloc, upcr_check_all("upc_all_lock_alloc", upcr_null(), HERE), (AT))

#define ON_POINTER(name, check)                \
  extern void CHECKED(name)(upcr_pts p, AT);   \
  void CHECKED(name)(upcr_pts p, AT) {         \
    upcr_place = HERE;                         \
    check;                                     \
    NEXT(name, p);                             \
    upcr_place = (struct upcr_place){NULL, 0}; \
  }
ON_POINTER(upc_free, if (p.addr != 0) upcr_check_free(p, UPCR_MEMORY, "upc_free"))
ON_POINTER(upc_all_free, upcr_check_all("upc_all_free", p, HERE);
           if (p.addr != 0) upcr_check_free(p, UPCR_MEMORY, "upc_all_free"))

/* ---- Locks ---- */

extern void CHECKED(upc_lock)(upcr_pts l, AT);
void CHECKED(upc_lock)(upcr_pts l, AT) {
  upcr_check_lock(l, "upc_lock", HERE);
  NEXT(upc_lock, l);
  upcr_check_locked(l, HERE);
}
extern int CHECKED(upc_lock_attempt)(upcr_pts l, AT);
int CHECKED(upc_lock_attempt)(upcr_pts l, AT) {
  upcr_check_lock(l, "upc_lock_attempt", HERE);
  int taken = NEXT(upc_lock_attempt, l);
  if (taken) upcr_check_locked(l, HERE);
  return taken;
}
ON_POINTER(upc_unlock, upcr_check_unlock(p, HERE))
ON_POINTER(upc_lock_free, upcr_check_lock_free(p, "upc_lock_free", HERE))
ON_POINTER(upc_all_lock_free, upcr_check_all("upc_all_lock_free", p, HERE);
           upcr_check_lock_free(p, "upc_all_lock_free", HERE))

/* ---- Memory operations ---- */

extern void CHECKED(upc_memcpy)(upcr_pts to, upcr_pts from, unsigned long n, AT);
void CHECKED(upc_memcpy)(upcr_pts to, upcr_pts from, unsigned long n, AT) {
  upcr_check_copy("upc_memcpy", &to, &from, NULL, n, HERE);
  NEXT(upc_memcpy, to, from, n);
}
extern void CHECKED(upc_memget)(void *to, upcr_pts from, unsigned long n, AT);
void CHECKED(upc_memget)(void *to, upcr_pts from, unsigned long n, AT) {
  upcr_check_copy("upc_memget", NULL, &from, to, n, HERE);
  NEXT(upc_memget, to, from, n);
}
extern void CHECKED(upc_memput)(upcr_pts to, const void *from, unsigned long n, AT);
void CHECKED(upc_memput)(upcr_pts to, const void *from, unsigned long n, AT) {
  upcr_check_copy("upc_memput", &to, NULL, from, n, HERE);
  NEXT(upc_memput, to, from, n);
}
extern void CHECKED(upc_memset)(upcr_pts to, int c, unsigned long n, AT);
void CHECKED(upc_memset)(upcr_pts to, int c, unsigned long n, AT) {
  /* The other side is the byte. */
  upcr_check_copy("upc_memset", &to, NULL, &c, n, HERE);
  NEXT(upc_memset, to, c, n);
}

/* ---- Collectives ---- */

#define SIDE(everywhere, per_thread) {everywhere, per_thread}
#define RELOCALIZATION(name, to_blocks, from_blocks)                                      \
  extern void name(upcr_pts to, upcr_pts from, unsigned long n, int flags);               \
  extern void CHECKED(name)(upcr_pts to, upcr_pts from, unsigned long n, int flags, AT);  \
  void CHECKED(name)(upcr_pts to, upcr_pts from, unsigned long n, int flags, AT) {        \
    const struct upcr_side to_side = to_blocks, from_side = from_blocks;                  \
    upcr_check_relocalization(#name, to, to_side, from, from_side, n, flags, NULL, HERE); \
    NEXT(name, to, from, n, flags);                                                       \
  }
RELOCALIZATION(upc_all_broadcast, SIDE(1, 0), SIDE(0, 0))
RELOCALIZATION(upc_all_scatter, SIDE(1, 0), SIDE(0, 1))
RELOCALIZATION(upc_all_gather, SIDE(0, 1), SIDE(1, 0))
RELOCALIZATION(upc_all_gather_all, SIDE(1, 1), SIDE(1, 0))
RELOCALIZATION(upc_all_exchange, SIDE(1, 1), SIDE(1, 1))

extern void upc_all_permute(upcr_pts to, upcr_pts from, upcr_pts perm, unsigned long n, int flags);
extern void CHECKED(upc_all_permute)(upcr_pts to, upcr_pts from, upcr_pts perm, unsigned long n,
                                     int flags, AT);
void CHECKED(upc_all_permute)(upcr_pts to, upcr_pts from, upcr_pts perm, unsigned long n, int flags,
                              AT) {
  const struct upcr_side each = {1, 0};
  upcr_check_relocalization("upc_all_permute", to, each, from, each, n, flags, &perm, HERE);
  NEXT(upc_all_permute, to, from, perm, n, flags);
}

#define COMPUTATION(name, type, prefix)                                                       \
  extern void name(upcr_pts to, upcr_pts from, int op, unsigned long n, unsigned long blk,    \
                   type (*f)(type, type), int flags);                                         \
  extern void CHECKED(name)(upcr_pts to, upcr_pts from, int op, unsigned long n,              \
                            unsigned long blk, type (*f)(type, type), int flags, AT);         \
  void CHECKED(name)(upcr_pts to, upcr_pts from, int op, unsigned long n, unsigned long blk,  \
                     type (*f)(type, type), int flags, AT) {                                  \
    upcr_check_computation(#name, to, from, op, n, blk, (const void *)f, flags, sizeof(type), \
                           prefix, HERE);                                                     \
    NEXT(name, to, from, op, n, blk, f, flags);                                               \
  }
#define COMPUTATIONS(x, type)             \
  COMPUTATION(upc_all_reduce##x, type, 0) \
  COMPUTATION(upc_all_prefix_reduce##x, type, 1)
COMPUTATIONS(C, signed char)
COMPUTATIONS(UC, unsigned char)
COMPUTATIONS(S, signed short)
COMPUTATIONS(US, unsigned short)
COMPUTATIONS(I, signed int)
COMPUTATIONS(UI, unsigned int)
COMPUTATIONS(L, signed long)
COMPUTATIONS(UL, unsigned long)
COMPUTATIONS(F, float)
COMPUTATIONS(D, double)
COMPUTATIONS(LD, long double)
