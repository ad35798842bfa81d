/* How the programs of this directory end when something goes wrong. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "cost.h"

void cost_fail(const char *format, ...) {
  va_list arguments;

  va_start(arguments, format);
  fprintf(stderr, "%s: ", program_invocation_short_name);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  _exit(2);
}
