/* Takes the events of collective operations out of what the embedded runtime reports, since GNU's and Clang's runtimes
 * have none. Linked with --wrap=gasp_event_notifyVA. */
#pragma pupc off
#include <gasp_upc.h>
#include <stdarg.h>

/* Weak: programs that nobody measures are linked so, too. */
void __real_gasp_event_notifyVA(gasp_context_t context, unsigned int tag, gasp_evttype_t type, const char *file, int line,
                                int column, va_list arguments) __attribute__((weak));

void __wrap_gasp_event_notifyVA(gasp_context_t context, unsigned int tag, gasp_evttype_t type, const char *file, int line,
                                int column, va_list arguments) {
  switch (tag) {
  case GASP_UPC_ALL_BROADCAST:
  case GASP_UPC_ALL_SCATTER:
  case GASP_UPC_ALL_GATHER:
  case GASP_UPC_ALL_GATHER_ALL:
  case GASP_UPC_ALL_EXCHANGE:
  case GASP_UPC_ALL_PERMUTE:
  case GASP_UPC_ALL_REDUCE:
  case GASP_UPC_ALL_PREFIX_REDUCE: return;
  default: __real_gasp_event_notifyVA(context, tag, type, file, line, column, arguments);
  }
}
