/* What stands between a program and the collective operations of a runtime that does not report them: functions that
 * report an operation and call it. They get the operation as an argument, so that a program refers to those operations
 * alone that it calls; and they are weak, so that a program that is linked without the tool calls the operations
 * themselves. The numbers of operations are those of the recorder's interface. */
#ifndef PGAS_COLLECTIVES_H
#define PGAS_COLLECTIVES_H

typedef void pgas_relocalization(shared void *, shared const void *, size_t, upc_flag_t);
extern void pgas_report_relocalization(int region, const char *file, int line, pgas_relocalization *operation,
                                       shared void *to, shared const void *from, size_t bytes, upc_flag_t flags)
    __attribute__((weak));

typedef void pgas_permutation(shared void *, shared const void *, shared const int *, size_t, upc_flag_t);
extern void pgas_report_permutation(int region, const char *file, int line, pgas_permutation *operation,
                                    shared void *to, shared const void *from, shared const int *order, size_t bytes,
                                    upc_flag_t flags) __attribute__((weak));

/* Suffix of the operations' names, and type of the elements. */
#define PGAS_ELEMENT_TYPES(X) \
  X(C, signed char)           \
  X(UC, unsigned char)        \
  X(S, short)                 \
  X(US, unsigned short)       \
  X(I, int)                   \
  X(UI, unsigned int)         \
  X(L, long)                  \
  X(UL, unsigned long)        \
  X(F, float)                 \
  X(D, double)                \
  X(LD, long double)

#define PGAS_DECLARE_COMPUTATION(x, type)                                                                              \
  typedef void pgas_computation_##x(shared void *, shared const void *, upc_op_t, size_t, size_t, type (*)(type, type), \
                                    upc_flag_t);                                                                       \
  extern void pgas_report_computation_##x(int region, const char *file, int line, pgas_computation_##x *operation,     \
                                          shared void *to, shared const void *from, upc_op_t op, size_t elements,      \
                                          size_t block, type (*function)(type, type), upc_flag_t flags)                \
      __attribute__((weak));
PGAS_ELEMENT_TYPES(PGAS_DECLARE_COMPUTATION)

#endif
