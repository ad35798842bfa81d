/* A part of pgas_upcr.h for instrumented programs: recorded functions of the optional libraries of
 * UPC and of Berkeley UPC, with the place of the call as their last arguments. */
#ifndef UPCR_CALLS_H
#define UPCR_CALLS_H

#define UPCR_AT const char *upcr_file, int upcr_line
struct upcr_transfer;

/* ---- Atomic operations ---- */

extern void upcr_i_upc_atomic_strict(upcr_pts upcr_domain, void *upcr_fetch, int upcr_op,
                                     upcr_pts upcr_p, const void *upcr_a, const void *upcr_b,
                                     UPCR_AT);
extern void upcr_i_upc_atomic_relaxed(upcr_pts upcr_domain, void *upcr_fetch, int upcr_op,
                                      upcr_pts upcr_p, const void *upcr_a, const void *upcr_b,
                                      UPCR_AT);

#define UPCR_ACCESSES(upcr_x, upcr_t, upcr_rs)                                                     \
  extern upcr_t upcr_i_bupc_atomic##upcr_x##_read_##upcr_rs(upcr_pts upcr_p, UPCR_AT);             \
  extern void upcr_i_bupc_atomic##upcr_x##_set_##upcr_rs(upcr_pts upcr_p, upcr_t upcr_a, UPCR_AT); \
  extern upcr_t upcr_i_bupc_atomic##upcr_x##_swap_##upcr_rs(upcr_pts upcr_p, upcr_t upcr_a,        \
                                                            UPCR_AT);                              \
  extern upcr_t upcr_i_bupc_atomic##upcr_x##_cswap_##upcr_rs(upcr_pts upcr_p, upcr_t upcr_a,       \
                                                             upcr_t upcr_b, UPCR_AT);              \
  extern upcr_t upcr_i_bupc_atomic##upcr_x##_fetchadd_##upcr_rs(upcr_pts upcr_p, upcr_t upcr_a,    \
                                                                UPCR_AT);
#define UPCR_BITS(upcr_x, upcr_t, upcr_rs)                                                      \
  UPCR_ACCESSES(upcr_x, upcr_t, upcr_rs)                                                        \
  extern upcr_t upcr_i_bupc_atomic##upcr_x##_mswap_##upcr_rs(upcr_pts upcr_p, upcr_t upcr_a,    \
                                                             upcr_t upcr_b, UPCR_AT);           \
  extern upcr_t upcr_i_bupc_atomic##upcr_x##_fetchand_##upcr_rs(upcr_pts upcr_p, upcr_t upcr_a, \
                                                                UPCR_AT);                       \
  extern upcr_t upcr_i_bupc_atomic##upcr_x##_fetchor_##upcr_rs(upcr_pts upcr_p, upcr_t upcr_a,  \
                                                               UPCR_AT);                        \
  extern upcr_t upcr_i_bupc_atomic##upcr_x##_fetchxor_##upcr_rs(upcr_pts upcr_p, upcr_t upcr_a, \
                                                                UPCR_AT);                       \
  extern upcr_t upcr_i_bupc_atomic##upcr_x##_fetchnot_##upcr_rs(upcr_pts upcr_p, UPCR_AT);
#define UPCR_BOTH(upcr_kind, upcr_x, upcr_t) \
  upcr_kind(upcr_x, upcr_t, strict) upcr_kind(upcr_x, upcr_t, relaxed)
UPCR_BOTH(UPCR_BITS, I, int)
UPCR_BOTH(UPCR_BITS, UI, unsigned int)
UPCR_BOTH(UPCR_BITS, L, long)
UPCR_BOTH(UPCR_BITS, UL, unsigned long)
UPCR_BOTH(UPCR_BITS, I32, __INT32_TYPE__)
UPCR_BOTH(UPCR_BITS, U32, __UINT32_TYPE__)
UPCR_BOTH(UPCR_BITS, I64, __INT64_TYPE__)
UPCR_BOTH(UPCR_BITS, U64, __UINT64_TYPE__)
UPCR_BOTH(UPCR_ACCESSES, F, float)
UPCR_BOTH(UPCR_ACCESSES, D, double)
#undef UPCR_BOTH
#undef UPCR_BITS
#undef UPCR_ACCESSES

/* ---- Copies ---- */

#define UPCR_TRANSFERS(upcr_result, upcr_cpy, upcr_get, upcr_put, upcr_set)                        \
  extern upcr_result upcr_i_##upcr_cpy(upcr_pts upcr_to, upcr_pts upcr_from, unsigned long upcr_n, \
                                       UPCR_AT);                                                   \
  extern upcr_result upcr_i_##upcr_get(void *upcr_to, upcr_pts upcr_from, unsigned long upcr_n,    \
                                       UPCR_AT);                                                   \
  extern upcr_result upcr_i_##upcr_put(upcr_pts upcr_to, const void *upcr_from,                    \
                                       unsigned long upcr_n, UPCR_AT);                             \
  extern upcr_result upcr_i_##upcr_set(upcr_pts upcr_to, int upcr_c, unsigned long upcr_n, UPCR_AT);
UPCR_TRANSFERS(struct upcr_transfer *, upc_memcpy_nb, upc_memget_nb, upc_memput_nb, upc_memset_nb)
UPCR_TRANSFERS(void, upc_memcpy_nbi, upc_memget_nbi, upc_memput_nbi, upc_memset_nbi)
UPCR_TRANSFERS(struct upcr_transfer *, bupc_memcpy_async, bupc_memget_async, bupc_memput_async,
               bupc_memset_async)
UPCR_TRANSFERS(void, bupc_memcpy_asynci, bupc_memget_asynci, bupc_memput_asynci, bupc_memset_asynci)
#undef UPCR_TRANSFERS

#define UPCR_LISTS(upcr_result, upcr_end, upcr_name, upcr_to_t, upcr_from_t)                       \
  extern upcr_result upcr_i_bupc_mem##upcr_name##_vlist##upcr_end(                                 \
      unsigned long, const void *, unsigned long, const void *, UPCR_AT);                          \
  extern upcr_result upcr_i_bupc_mem##upcr_name##_ilist##upcr_end(                                 \
      unsigned long, const void *, unsigned long, unsigned long, const void *, unsigned long,      \
      UPCR_AT);                                                                                    \
  extern upcr_result upcr_i_bupc_mem##upcr_name##_fstrided##upcr_end(                              \
      upcr_to_t, unsigned long, unsigned long, unsigned long, upcr_from_t, unsigned long,          \
      unsigned long, unsigned long, UPCR_AT);                                                      \
  extern upcr_result upcr_i_bupc_mem##upcr_name##_strided##upcr_end(                               \
      upcr_to_t, const unsigned long *, upcr_from_t, const unsigned long *, const unsigned long *, \
      unsigned long, UPCR_AT);
UPCR_LISTS(void, , cpy, upcr_pts, upcr_pts)
UPCR_LISTS(void, , put, upcr_pts, const void *)
UPCR_LISTS(void, , get, void *, upcr_pts)
UPCR_LISTS(struct upcr_transfer *, _async, cpy, upcr_pts, upcr_pts)
UPCR_LISTS(struct upcr_transfer *, _async, put, upcr_pts, const void *)
UPCR_LISTS(struct upcr_transfer *, _async, get, void *, upcr_pts)
#undef UPCR_LISTS

/* ---- Semaphores ---- */

extern void upcr_i_bupc_sem_post(upcr_pts upcr_sem, UPCR_AT);
extern void upcr_i_bupc_sem_postN(upcr_pts upcr_sem, unsigned long upcr_n, UPCR_AT);
extern void upcr_i_bupc_sem_wait(upcr_pts upcr_sem, UPCR_AT);
extern void upcr_i_bupc_sem_waitN(upcr_pts upcr_sem, unsigned long upcr_n, UPCR_AT);
extern int upcr_i_bupc_sem_try(upcr_pts upcr_sem, UPCR_AT);
extern int upcr_i_bupc_sem_tryN(upcr_pts upcr_sem, unsigned long upcr_n, UPCR_AT);

extern void upcr_i_bupc_memput_signal(upcr_pts upcr_to, const void *upcr_from, unsigned long upcr_n,
                                      upcr_pts upcr_sem, unsigned long upcr_posts, UPCR_AT);
extern void upcr_i_bupc_memput_signal_async(upcr_pts upcr_to, const void *upcr_from,
                                            unsigned long upcr_n, upcr_pts upcr_sem,
                                            unsigned long upcr_posts, UPCR_AT);
#undef UPCR_AT

#endif
