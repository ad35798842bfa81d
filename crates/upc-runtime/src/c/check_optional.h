/* The optional libraries as checked programs call them; included twice, as check_calls.h is. */
#include "check_library.h"
#ifdef UPCR_INST
#include "pgas_upcr_calls.h"
#endif

#define AT const char *file, int line
#define HERE ((struct upcr_place){file, line})

/* ---- Copies that need not be complete when the call returns ---- */

typedef struct upcr_transfer *handle_type;

#define COPY(result, give, name, parameters, arguments, to, from, other) \
  extern result name parameters;                                         \
  extern result CHECKED(name)(UNPACK parameters, AT);                    \
  result CHECKED(name)(UNPACK parameters, AT) {                          \
    upcr_check_copy(#name, to, from, other, n, HERE);                    \
    give NEXT(name, UNPACK arguments);                                   \
  }
#define UNPACK(...) __VA_ARGS__
#define COPIES(result, give, cpy, get, put, set)                                                  \
  COPY(result, give, cpy, (upcr_pts to, upcr_pts from, unsigned long n), (to, from, n), &to,      \
       &from, NULL)                                                                               \
  COPY(result, give, get, (void *to, upcr_pts from, unsigned long n), (to, from, n), NULL, &from, \
       to)                                                                                        \
  COPY(result, give, put, (upcr_pts to, const void *from, unsigned long n), (to, from, n), &to,   \
       NULL, from)                                                                                \
  COPY(result, give, set, (upcr_pts to, int c, unsigned long n), (to, c, n), &to, NULL, &c)
COPIES(handle_type, return, upc_memcpy_nb, upc_memget_nb, upc_memput_nb, upc_memset_nb)
COPIES(void, , upc_memcpy_nbi, upc_memget_nbi, upc_memput_nbi, upc_memset_nbi)
COPIES(handle_type, return, bupc_memcpy_async, bupc_memget_async, bupc_memput_async,
       bupc_memset_async)
COPIES(void, , bupc_memcpy_asynci, bupc_memget_asynci, bupc_memput_asynci, bupc_memset_asynci)

/* ---- Atomic operations ---- */

#define ATOMIC(name)                                                                         \
  extern void name(upcr_pts domain, void *fetch, int op, upcr_pts p, const void *a,          \
                   const void *b);                                                           \
  extern void CHECKED(name)(upcr_pts domain, void *fetch, int op, upcr_pts p, const void *a, \
                            const void *b, AT);                                              \
  void CHECKED(name)(upcr_pts domain, void *fetch, int op, upcr_pts p, const void *a,        \
                     const void *b, AT) {                                                    \
    /* The function itself refuses what is no domain. */                                     \
    upcr_check_target(p, upcr_domain_size(domain), file, line);                              \
    NEXT(name, domain, fetch, op, p, a, b);                                                  \
  }
ATOMIC(upc_atomic_strict)
ATOMIC(upc_atomic_relaxed)

extern upcr_pts upc_all_atomicdomain_alloc(int type, int ops, int hints);
extern upcr_pts CHECKED(upc_all_atomicdomain_alloc)(int type, int ops, int hints, AT);
upcr_pts CHECKED(upc_all_atomicdomain_alloc)(int type, int ops, int hints, AT) {
  struct upcr_together c = {
      "upc_all_atomicdomain_alloc",
      "upc_all_atomicdomain_alloc",
      {{'n', "type", (unsigned long)type}, {'x', "operations", (unsigned long)ops}}};
  upcr_check_together(&c, HERE);
  return upc_all_atomicdomain_alloc(type, ops, hints);
}
extern void upc_all_atomicdomain_free(upcr_pts p);
extern void CHECKED(upc_all_atomicdomain_free)(upcr_pts p, AT);
void CHECKED(upc_all_atomicdomain_free)(upcr_pts p, AT) {
  upcr_check_all("upc_all_atomicdomain_free", p, HERE);
  upc_all_atomicdomain_free(p);
}
