/* Berkeley UPC's collectives on values: all threads call one together, with a value of the type T
 * (in parentheses only where a type may have them) instead of places in shared memory. Macros,
 * because T is a type; results are values of T. Reductions are of arithmetic types. */
#ifndef UPCR_BUPC_COLLECTIVEV_H
#define UPCR_BUPC_COLLECTIVEV_H

#include "upcr_upc_collective.h"

/* The version of the interface. */
#define BUPC_COLLECTIVEV_VERSION_MAJOR 1
#define BUPC_COLLECTIVEV_VERSION_MINOR 2

#ifdef UPCR_INST
#define UPCR_VALUES(upcr_name) __asm__("upcr_i_" upcr_name)
#else
#define UPCR_VALUES(upcr_name)
#endif
extern void upcr_allv_reduce(void *__value, size_t __size, int __kind, int __root, upc_op_t __op,
                             const char *__file, int __line) UPCR_VALUES("allv_reduce");
extern void upcr_allv_reduce_all(void *__value, size_t __size, int __kind, upc_op_t __op,
                                 const char *__file, int __line) UPCR_VALUES("allv_reduce_all");
extern void upcr_allv_prefix_reduce(void *__value, size_t __size, int __kind, upc_op_t __op,
                                    const char *__file, int __line)
    UPCR_VALUES("allv_prefix_reduce");
extern void upcr_allv_broadcast(void *__value, size_t __size, int __root, const char *__file,
                                int __line) UPCR_VALUES("allv_broadcast");
extern void upcr_allv_scatter(void *__value, size_t __size, int __root, const void *__from,
                              const char *__file, int __line) UPCR_VALUES("allv_scatter");
extern void upcr_allv_gather(const void *__value, size_t __size, int __root, void *__to,
                             const char *__file, int __line) UPCR_VALUES("allv_gather");
extern void upcr_allv_gather_all(const void *__value, size_t __size, void *__to, const char *__file,
                                 int __line) UPCR_VALUES("allv_gather_all");
extern void upcr_allv_permute(void *__value, size_t __size, int __to, const char *__file,
                              int __line) UPCR_VALUES("allv_permute");
#undef UPCR_VALUES

/* 0 unsigned, 1 signed, 2 floating. */
#define UPCR_KIND(T) ((T)0.5 != 0 ? 2 : (T) - 1 < (T)1)

/* The result is the root's; those of other threads are not defined. A root of -1 stands for all
 * threads. */
#define bupc_allv_reduce(T, value, root, op)                                                    \
  (__extension__({                                                                              \
    T upcr_v = (value);                                                                         \
    int upcr_root = (root);                                                                     \
    if (upcr_root == -1)                                                                        \
      upcr_allv_reduce_all(&upcr_v, sizeof(T), UPCR_KIND(T), op, __FILE__, __LINE__);           \
    else upcr_allv_reduce(&upcr_v, sizeof(T), UPCR_KIND(T), upcr_root, op, __FILE__, __LINE__); \
    upcr_v;                                                                                     \
  }))
#define bupc_allv_reduce_all(T, value, op)                                          \
  (__extension__({                                                                  \
    T upcr_v = (value);                                                             \
    upcr_allv_reduce_all(&upcr_v, sizeof(T), UPCR_KIND(T), op, __FILE__, __LINE__); \
    upcr_v;                                                                         \
  }))
/* Each thread's result is that of the threads up to and with itself. */
#define bupc_allv_prefix_reduce(T, value, op)                                          \
  (__extension__({                                                                     \
    T upcr_v = (value);                                                                \
    upcr_allv_prefix_reduce(&upcr_v, sizeof(T), UPCR_KIND(T), op, __FILE__, __LINE__); \
    upcr_v;                                                                            \
  }))
#define bupc_allv_broadcast(T, value, root)                            \
  (__extension__({                                                     \
    T upcr_v = (value);                                                \
    upcr_allv_broadcast(&upcr_v, sizeof(T), root, __FILE__, __LINE__); \
    upcr_v;                                                            \
  }))
/* Element MYTHREAD of the root's array; the argument counts on the root only. */
#define bupc_allv_scatter(T, root, array)                                   \
  (__extension__({                                                          \
    T upcr_v;                                                               \
    upcr_allv_scatter(&upcr_v, sizeof(T), root, array, __FILE__, __LINE__); \
    upcr_v;                                                                 \
  }))
/* Fills the array, of the root or, if that is -1, of all threads, with the values of the threads,
 * and returns it. A thread that needs no values passes a null pointer to bupc_allv_gather_all. */
#define bupc_allv_gather(T, value, root, array)                                                 \
  (__extension__({                                                                              \
    T upcr_v = (value);                                                                         \
    T *upcr_to = (array);                                                                       \
    int upcr_root = (root);                                                                     \
    if (upcr_root == -1) upcr_allv_gather_all(&upcr_v, sizeof(T), upcr_to, __FILE__, __LINE__); \
    else upcr_allv_gather(&upcr_v, sizeof(T), upcr_root, upcr_to, __FILE__, __LINE__);          \
    upcr_to;                                                                                    \
  }))
#define bupc_allv_gather_all(T, value, array)                              \
  (__extension__({                                                         \
    T upcr_v = (value);                                                    \
    T *upcr_to = (array);                                                  \
    upcr_allv_gather_all(&upcr_v, sizeof(T), upcr_to, __FILE__, __LINE__); \
    upcr_to;                                                               \
  }))
/* The value goes to a thread, each to another one; the result is the value that came here. */
#define bupc_allv_permute(T, value, tothread)                            \
  (__extension__({                                                       \
    T upcr_v = (value);                                                  \
    upcr_allv_permute(&upcr_v, sizeof(T), tothread, __FILE__, __LINE__); \
    upcr_v;                                                              \
  }))

#endif
