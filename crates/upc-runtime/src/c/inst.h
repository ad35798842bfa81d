/* How the recorded functions of the library that are not in inst.c report events; see there. */
#ifndef UPCR_INST_H
#define UPCR_INST_H

#include "gasp.h"
#include "gasp_upc.h"
#include "runtime.h"

/* Tells the tool, if there is one and it may be told now. */
UPCR_HIDDEN void upcr_event(unsigned int tag, gasp_evttype_t type, const char *file, int line, ...);

/* Reports `action`, a statement, with the same arguments before and after. */
#define UPCR_REPORTED(action, tag, ...)                   \
  do {                                                    \
    upcr_event(tag, GASP_START, file, line, __VA_ARGS__); \
    action;                                               \
    upcr_event(tag, GASP_END, file, line, __VA_ARGS__);   \
  } while (0)

#endif
