/* Part of pgas_upcr.h: single accesses to shared data as functions, in instrumented programs. They
 * are always inlined, so that they change nothing but the debug information, which tells a tool
 * that samples where a thread is which instructions are an access. */
#ifndef UPCR_ACCESSES_H
#define UPCR_ACCESSES_H

#define UPCR_ACCESS(upcr_name, upcr_t)                                             \
  UPCR_INLINE upcr_t upcr_read_##upcr_name(upcr_addr_t upcr_a) {                   \
    return *(volatile upcr_t *)upcr_a;                                             \
  }                                                                                \
  UPCR_INLINE void upcr_write_##upcr_name(upcr_addr_t upcr_a, upcr_t upcr_value) { \
    *(volatile upcr_t *)upcr_a = upcr_value;                                       \
  }
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
UPCR_ACCESS(longdouble, long double)
#undef UPCR_ACCESS

#endif
