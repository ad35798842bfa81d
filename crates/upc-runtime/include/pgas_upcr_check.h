/* Checks that programs compiled with -fupc-check call before they touch shared data, and in place
 * of the library. Part of pgas_upcr.h, with the same rules. Each check returns its argument,
 * or ends the program with a message. Calls that are instrumented too have entry points of their
 * own, which report the events. */

#ifdef UPCR_INST
#define UPCR_CHECKED(upcr_name) __asm__("upcr_ci_" #upcr_name)
#else
#define UPCR_CHECKED(upcr_name) __asm__("upcr_c_" #upcr_name)
#endif
#define UPCR_AT const char *upcr_file, int upcr_line

/* ---- Accesses ---- */

/* Kind of an access. */
enum { UPCR_READS, UPCR_WRITES, UPCR_UPDATES };

/* That `size` bytes from `a` on belong to one shared object, and that `a` is a multiple of `align`.
 */
extern upcr_addr_t upcr_check_access(upcr_addr_t upcr_a, unsigned long upcr_size,
                                     unsigned long upcr_align, int upcr_what, UPCR_AT);
/* That the private pointer that `a` becomes is to data of this thread. */
extern upcr_addr_t upcr_check_cast(upcr_addr_t upcr_a, UPCR_AT);
/* That the pointer that another thread's data is cast to a private one with, by upc_cast, is to
 * data at all. */
extern upcr_pts upcr_check_castable(upcr_pts upcr_p, UPCR_AT);
/* That an atomic operation on `size` bytes can be done there. */
extern upcr_pts upcr_check_target(upcr_pts upcr_p, unsigned long upcr_size, UPCR_AT);
/* That both point into the same object. */
extern void upcr_check_same(upcr_pts upcr_p, upcr_pts upcr_q, UPCR_AT);

extern void upcr_index_failed(long upcr_i, long upcr_n, int upcr_dimension, const char *upcr_name,
                              const struct upcr_object *upcr_o, UPCR_AT)
    __attribute__((__noreturn__, __cold__));
extern void upcr_pointer_failed(upcr_pts upcr_p, long upcr_b, UPCR_AT)
    __attribute__((__noreturn__, __cold__));
extern void upcr_align_failed(upcr_addr_t upcr_a, unsigned long upcr_align, UPCR_AT)
    __attribute__((__noreturn__, __cold__));

/* That 0 <= i < n. The object is null where the array is a member; dimensions count from 1, 0 if
 * there is but one. */
UPCR_INLINE long upcr_check_index(long upcr_i, long upcr_n, int upcr_dimension,
                                  const char *upcr_name, const struct upcr_object *upcr_o,
                                  UPCR_AT) {
  if (__builtin_expect((unsigned long)upcr_i >= (unsigned long)upcr_n, 0))
    upcr_index_failed(upcr_i, upcr_n, upcr_dimension, upcr_name, upcr_o, upcr_file, upcr_line);
  return upcr_i;
}
/* The number of elements of an object, wherever it was defined. */
UPCR_INLINE long upcr_elements(const struct upcr_object *upcr_o) {
  return (long)upcr_o->elements * (upcr_o->per_thread ? UPCR_THREADS : 1);
}
/* That a pointer that something is added to is not null, and that its phase is within a block of
 * `b` elements. */
UPCR_INLINE upcr_pts upcr_check_pointer(upcr_pts upcr_p, long upcr_b, UPCR_AT) {
  if (__builtin_expect(upcr_p.addr == 0 || upcr_p.phase >= (unsigned long)upcr_b, 0))
    upcr_pointer_failed(upcr_p, upcr_b, upcr_file, upcr_line);
  return upcr_p;
}
UPCR_INLINE upcr_addr_t upcr_check_align(upcr_addr_t upcr_a, unsigned long upcr_align, UPCR_AT) {
  if (__builtin_expect((upcr_a & (upcr_align - 1)) != 0, 0))
    upcr_align_failed(upcr_a, upcr_align, upcr_file, upcr_line);
  return upcr_a;
}

/* ---- The library ---- */

extern upcr_pts upcr_c_upc_global_alloc(unsigned long upcr_blocks, unsigned long upcr_bytes,
                                        UPCR_AT) UPCR_CHECKED(upc_global_alloc);
extern upcr_pts upcr_c_upc_all_alloc(unsigned long upcr_blocks, unsigned long upcr_bytes, UPCR_AT)
    UPCR_CHECKED(upc_all_alloc);
extern upcr_pts upcr_c_upc_alloc(unsigned long upcr_bytes, UPCR_AT) UPCR_CHECKED(upc_alloc);
extern upcr_pts upcr_c_upc_local_alloc(unsigned long upcr_blocks, unsigned long upcr_bytes, UPCR_AT)
    UPCR_CHECKED(upc_local_alloc);
extern void upcr_c_upc_free(upcr_pts upcr_p, UPCR_AT) UPCR_CHECKED(upc_free);
extern void upcr_c_upc_all_free(upcr_pts upcr_p, UPCR_AT) UPCR_CHECKED(upc_all_free);

extern upcr_pts upcr_c_upc_global_lock_alloc(UPCR_AT) UPCR_CHECKED(upc_global_lock_alloc);
extern upcr_pts upcr_c_upc_all_lock_alloc(UPCR_AT) UPCR_CHECKED(upc_all_lock_alloc);
extern void upcr_c_upc_lock(upcr_pts upcr_l, UPCR_AT) UPCR_CHECKED(upc_lock);
extern int upcr_c_upc_lock_attempt(upcr_pts upcr_l, UPCR_AT) UPCR_CHECKED(upc_lock_attempt);
extern void upcr_c_upc_unlock(upcr_pts upcr_l, UPCR_AT) UPCR_CHECKED(upc_unlock);
extern void upcr_c_upc_lock_free(upcr_pts upcr_l, UPCR_AT) UPCR_CHECKED(upc_lock_free);
extern void upcr_c_upc_all_lock_free(upcr_pts upcr_l, UPCR_AT) UPCR_CHECKED(upc_all_lock_free);

extern void upcr_c_upc_memcpy(upcr_pts upcr_to, upcr_pts upcr_from, unsigned long upcr_n, UPCR_AT)
    UPCR_CHECKED(upc_memcpy);
extern void upcr_c_upc_memget(void *upcr_to, upcr_pts upcr_from, unsigned long upcr_n, UPCR_AT)
    UPCR_CHECKED(upc_memget);
extern void upcr_c_upc_memput(upcr_pts upcr_to, const void *upcr_from, unsigned long upcr_n,
                              UPCR_AT) UPCR_CHECKED(upc_memput);
extern void upcr_c_upc_memset(upcr_pts upcr_to, int upcr_c, unsigned long upcr_n, UPCR_AT)
    UPCR_CHECKED(upc_memset);

#define UPCR_RELOCALIZATION(upcr_name)                                                       \
  extern void upcr_c_##upcr_name(upcr_pts upcr_to, upcr_pts upcr_from, unsigned long upcr_n, \
                                 int upcr_flags, UPCR_AT) UPCR_CHECKED(upcr_name);
UPCR_RELOCALIZATION(upc_all_broadcast)
UPCR_RELOCALIZATION(upc_all_scatter)
UPCR_RELOCALIZATION(upc_all_gather)
UPCR_RELOCALIZATION(upc_all_gather_all)
UPCR_RELOCALIZATION(upc_all_exchange)
#undef UPCR_RELOCALIZATION
extern void upcr_c_upc_all_permute(upcr_pts upcr_to, upcr_pts upcr_from, upcr_pts upcr_perm,
                                   unsigned long upcr_n, int upcr_flags, UPCR_AT)
    UPCR_CHECKED(upc_all_permute);

#define UPCR_COMPUTATION(upcr_name, upcr_type)                                              \
  extern void upcr_c_##upcr_name(upcr_pts upcr_to, upcr_pts upcr_from, int upcr_op,         \
                                 unsigned long upcr_n, unsigned long upcr_b,                \
                                 upcr_type (*upcr_f)(upcr_type, upcr_type), int upcr_flags, \
                                 UPCR_AT) UPCR_CHECKED(upcr_name);
#define UPCR_COMPUTATIONS(upcr_x, upcr_type)          \
  UPCR_COMPUTATION(upc_all_reduce##upcr_x, upcr_type) \
  UPCR_COMPUTATION(upc_all_prefix_reduce##upcr_x, upcr_type)
UPCR_COMPUTATIONS(C, signed char)
UPCR_COMPUTATIONS(UC, unsigned char)
UPCR_COMPUTATIONS(S, signed short)
UPCR_COMPUTATIONS(US, unsigned short)
UPCR_COMPUTATIONS(I, signed int)
UPCR_COMPUTATIONS(UI, unsigned int)
UPCR_COMPUTATIONS(L, signed long)
UPCR_COMPUTATIONS(UL, unsigned long)
UPCR_COMPUTATIONS(F, float)
UPCR_COMPUTATIONS(D, double)
UPCR_COMPUTATIONS(LD, long double)
#undef UPCR_COMPUTATIONS
#undef UPCR_COMPUTATION

/* ---- The optional libraries ---- */

struct upcr_transfer;
#define UPCR_COPIES(upcr_result, upcr_cpy, upcr_get, upcr_put, upcr_set)                           \
  extern upcr_result upcr_c_##upcr_cpy(upcr_pts upcr_to, upcr_pts upcr_from, unsigned long upcr_n, \
                                       UPCR_AT) UPCR_CHECKED(upcr_cpy);                            \
  extern upcr_result upcr_c_##upcr_get(void *upcr_to, upcr_pts upcr_from, unsigned long upcr_n,    \
                                       UPCR_AT) UPCR_CHECKED(upcr_get);                            \
  extern upcr_result upcr_c_##upcr_put(upcr_pts upcr_to, const void *upcr_from,                    \
                                       unsigned long upcr_n, UPCR_AT) UPCR_CHECKED(upcr_put);      \
  extern upcr_result upcr_c_##upcr_set(upcr_pts upcr_to, int upcr_c, unsigned long upcr_n,         \
                                       UPCR_AT) UPCR_CHECKED(upcr_set);
UPCR_COPIES(struct upcr_transfer *, upc_memcpy_nb, upc_memget_nb, upc_memput_nb, upc_memset_nb)
UPCR_COPIES(void, upc_memcpy_nbi, upc_memget_nbi, upc_memput_nbi, upc_memset_nbi)
UPCR_COPIES(struct upcr_transfer *, bupc_memcpy_async, bupc_memget_async, bupc_memput_async,
            bupc_memset_async)
UPCR_COPIES(void, bupc_memcpy_asynci, bupc_memget_asynci, bupc_memput_asynci, bupc_memset_asynci)
#undef UPCR_COPIES

#define UPCR_ATOMIC(upcr_name)                                                                     \
  extern void upcr_c_##upcr_name(upcr_pts upcr_domain, void *upcr_fetch, int upcr_op,              \
                                 upcr_pts upcr_p, const void *upcr_a, const void *upcr_b, UPCR_AT) \
      UPCR_CHECKED(upcr_name);
UPCR_ATOMIC(upc_atomic_strict)
UPCR_ATOMIC(upc_atomic_relaxed)
#undef UPCR_ATOMIC
extern upcr_pts upcr_c_upc_all_atomicdomain_alloc(int upcr_type, int upcr_ops, int upcr_hints,
                                                  UPCR_AT) UPCR_CHECKED(upc_all_atomicdomain_alloc);
extern void upcr_c_upc_all_atomicdomain_free(upcr_pts upcr_p, UPCR_AT)
    UPCR_CHECKED(upc_all_atomicdomain_free);

#undef UPCR_AT
#undef UPCR_CHECKED
