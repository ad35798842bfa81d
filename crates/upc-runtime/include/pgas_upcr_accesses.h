/* Part of pgas_upcr.h: single accesses to shared data as functions, in instrumented programs and
 * where data may be far. They are always inlined, so that debug information tells a tool that
 * samples where a thread is which instructions are an access. */
#ifndef UPCR_ACCESSES_H
#define UPCR_ACCESSES_H

/* What is done instead if the data is far. The bytes of a value are the low ones of a number. */
#ifdef UPCR_MPI
#define UPCR_FAR_READ(upcr_t)                                          \
  if (!upcr_is_near(upcr_a)) {                                         \
    unsigned long upcr_bytes = UPCR_FAR(read)(upcr_a, sizeof(upcr_t)); \
    upcr_t upcr_value;                                                 \
    __builtin_memcpy(&upcr_value, &upcr_bytes, sizeof(upcr_t));        \
    return upcr_value;                                                 \
  }
#define UPCR_FAR_WRITE(upcr_t)                                  \
  if (!upcr_is_near(upcr_a)) {                                  \
    unsigned long upcr_bytes = 0;                               \
    __builtin_memcpy(&upcr_bytes, &upcr_value, sizeof(upcr_t)); \
    UPCR_FAR(write)(upcr_a, upcr_bytes, sizeof(upcr_t));        \
    return;                                                     \
  }
#define UPCR_FAR_GET(upcr_t)                            \
  if (!upcr_is_near(upcr_a)) {                          \
    upcr_t upcr_value;                                  \
    UPCR_FAR(get)(&upcr_value, upcr_a, sizeof(upcr_t)); \
    return upcr_value;                                  \
  }
#define UPCR_FAR_PUT(upcr_t)                            \
  if (!upcr_is_near(upcr_a)) {                          \
    UPCR_FAR(put)(upcr_a, &upcr_value, sizeof(upcr_t)); \
    return;                                             \
  }
#else
#define UPCR_FAR_READ(upcr_t)
#define UPCR_FAR_WRITE(upcr_t)
#define UPCR_FAR_GET(upcr_t)
#define UPCR_FAR_PUT(upcr_t)
#endif

#define UPCR_ACCESS_BY(upcr_name, upcr_t, upcr_if_far, upcr_to_far)                \
  UPCR_INLINE upcr_t upcr_read_##upcr_name(upcr_addr_t upcr_a) {                   \
    upcr_if_far(upcr_t) return *(volatile upcr_t *)upcr_a;                         \
  }                                                                                \
  UPCR_INLINE void upcr_write_##upcr_name(upcr_addr_t upcr_a, upcr_t upcr_value) { \
    upcr_to_far(upcr_t) * (volatile upcr_t *)upcr_a = upcr_value;                  \
  }
#define UPCR_ACCESS(upcr_name, upcr_t) \
  UPCR_ACCESS_BY(upcr_name, upcr_t, UPCR_FAR_READ, UPCR_FAR_WRITE)
UPCR_ACCESS(bool, _Bool)
UPCR_ACCESS(char, signed char)
UPCR_ACCESS(uchar, unsigned char)
UPCR_ACCESS(short, short)
UPCR_ACCESS(ushort, unsigned short)
UPCR_ACCESS(int, int)
UPCR_ACCESS(uint, unsigned int)
UPCR_ACCESS(long, long)
UPCR_ACCESS(ulong, unsigned long)
__extension__ typedef long long upcr_longlong_t;
__extension__ typedef unsigned long long upcr_ulonglong_t;
UPCR_ACCESS(longlong, upcr_longlong_t)
UPCR_ACCESS(ulonglong, upcr_ulonglong_t)
UPCR_ACCESS(float, float)
UPCR_ACCESS(double, double)
UPCR_ACCESS_BY(longdouble, long double, UPCR_FAR_GET, UPCR_FAR_PUT)
#undef UPCR_ACCESS
#undef UPCR_ACCESS_BY
#undef UPCR_FAR_READ
#undef UPCR_FAR_WRITE
#undef UPCR_FAR_GET
#undef UPCR_FAR_PUT

#endif
