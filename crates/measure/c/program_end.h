/* The end of a program that does not end its library. */
#ifndef PGAS_PROGRAM_END_H
#define PGAS_PROGRAM_END_H

#include <stdlib.h>

/* AT_EXIT(end): `void end(int status)` is called when the process ends by itself. Only glibc tells
 * functions the exit status; elsewhere it is 0. */
#ifdef __GLIBC__
extern int on_exit(void (*function)(int status, void *argument), void *argument);
#define AT_EXIT(end) on_exit(end##_with_status, NULL)
#define DEFINE_END(end)                                       \
  static void end##_with_status(int status, void *argument) { \
    (void)argument;                                           \
    end(status);                                              \
  }
#else
#define AT_EXIT(end) atexit(end##_without_status)
#define DEFINE_END(end) \
  static void end##_without_status(void) { end(0); }
#endif

#endif
