/* Types and sizes of OpenSHMEM's functions: the name that a function has for it, and the type. All
 * families use the same list; functions that there are not for a type are left out since the header
 * does not declare them. */
#ifndef PGAS_SHMEM_TYPES_H
#define PGAS_SHMEM_TYPES_H

#define FOR_TYPES(DEFINE)               \
  DEFINE(float, float)                  \
  DEFINE(double, double)                \
  DEFINE(longdouble, long double)       \
  DEFINE(char, char)                    \
  DEFINE(schar, signed char)            \
  DEFINE(short, short)                  \
  DEFINE(int, int)                      \
  DEFINE(long, long)                    \
  DEFINE(longlong, long long)           \
  DEFINE(uchar, unsigned char)          \
  DEFINE(ushort, unsigned short)        \
  DEFINE(uint, unsigned int)            \
  DEFINE(ulong, unsigned long)          \
  DEFINE(ulonglong, unsigned long long) \
  DEFINE(int8, int8_t)                  \
  DEFINE(int16, int16_t)                \
  DEFINE(int32, int32_t)                \
  DEFINE(int64, int64_t)                \
  DEFINE(uint8, uint8_t)                \
  DEFINE(uint16, uint16_t)              \
  DEFINE(uint32, uint32_t)              \
  DEFINE(uint64, uint64_t)              \
  DEFINE(size, size_t)                  \
  DEFINE(ptrdiff, ptrdiff_t)

#define FOR_TYPES_AND_COMPLEX(DEFINE) \
  FOR_TYPES(DEFINE)                   \
  DEFINE(complexf, float _Complex)    \
  DEFINE(complexd, double _Complex)

/* Bits in the function's name, bytes. */
#define FOR_SIZES(DEFINE) \
  DEFINE(8, 1)            \
  DEFINE(16, 2)           \
  DEFINE(32, 4)           \
  DEFINE(64, 8)           \
  DEFINE(128, 16)

#endif
