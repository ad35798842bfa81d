/* pupc.h in a program that is not instrumented: nobody listens. */
#include "runtime.h"

UPCR_LIBRARY int pupc_control(int on) {
  (void)on;
  return 0;
}
UPCR_LIBRARY unsigned int pupc_create_event(const char *name, const char *description) {
  (void)name;
  (void)description;
  return 0;
}
UPCR_LIBRARY void pupc_event_start(unsigned int event, ...) { (void)event; }
UPCR_LIBRARY void pupc_event_end(unsigned int event, ...) { (void)event; }
UPCR_LIBRARY void pupc_event_atomic(unsigned int event, ...) { (void)event; }
UPCR_LIBRARY void upcr_pupc_event(int type, const char *file, int line, unsigned int event, ...) {
  (void)type;
  (void)file;
  (void)line;
  (void)event;
}
