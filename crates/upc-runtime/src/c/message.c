/* Messages to the person who runs the program. Each is one write, so that those of several threads
 * do not mix. */
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "runtime.h"

static void say(const char *format, va_list arguments) {
  char text[3500];
  int prefix = snprintf(text, sizeof text, "pgas: ");
  int length =
      vsnprintf(text + prefix, sizeof text - (size_t)prefix - 1, format, arguments) + prefix;
  if (length > (int)sizeof text - 2) length = (int)sizeof text - 2;
  text[length++] = '\n';
  /* Standard error may be closed; there is nobody else to tell. */
  ssize_t written = write(2, text, (size_t)length);
  (void)written;
}

void upcr_say(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(format, arguments);
  va_end(arguments);
}

void upcr_fatal(const char *format, ...) {
  if (upcr_claim_end(1)) {
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
  }
  upcr_leave();
}

void upcr_complain(const char *format, ...) {
  char text[500];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (&upcr_checks != NULL) upcr_fatal("%s", text);
  if (atomic_exchange(&upcr_control->complained, 1) == 0)
    upcr_say("%s; the program goes on (compiled with -fupc-check it would end here and say where "
             "this is)",
             text);
}

const char *upcr_at(const char *file, int line) {
  static char texts[8][256];
  static unsigned next;
  char *text = texts[next++ % 8];
  if (file == NULL) text[0] = 0;
  else snprintf(text, sizeof texts[0], " (%s:%d)", file, line);
  return text;
}
