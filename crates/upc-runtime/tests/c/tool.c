/* A GASP tool that prints events: one line each, all of a thread in one file PREFIX.<thread>. Checks that it is not
 * called while it is in a call, and that accesses of its own are not reported. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "gasp.h"
#include "gasp_upc.h"
#include "pgas_upc_query.h"
#include "upc_types.h"

struct _gasp_context_S {
  FILE *file;
  int on;
  unsigned events;
};

gasp_context_t gasp_init(gasp_model_t model, int *argc, char ***argv) {
  static struct _gasp_context_S context;
  char name[300];
  snprintf(name, sizeof name, "%s.%d", getenv("TOOL_PREFIX"), pgas_upc_mythread());
  context.file = fopen(name, "w");
  context.on = 1;
  fprintf(context.file, "INIT %d %d/%d %s\n", model, pgas_upc_mythread(), pgas_upc_threads(), (*argv)[0] ? "program" : "");
  return &context;
}

static void pts(FILE *f, const void *p) { fprintf(f, " %d:0x%lx", pgas_upc_threadof(p), pgas_upc_addrfield(p)); }
#define PTS pts(f, va_arg(v, void *))
#define INT fprintf(f, " %d", va_arg(v, int))
#define SIZE fprintf(f, " %zu", va_arg(v, size_t))
#define PRIVATE (void)va_arg(v, void *), fprintf(f, " private")

void gasp_event_notifyVA(gasp_context_t c, unsigned tag, gasp_evttype_t type, const char *file, int line, int col,
                         va_list arguments) {
  va_list v;
  va_copy(v, arguments);
  FILE *f = c->file;
  static const char *const types[] = {"START", "END", "ATOMIC"};
  int end = type == GASP_END;
  fprintf(f, "%s:%d %u %s", file ? file : "-", line, tag, types[type]);
  switch (tag) {
  case GASP_C_FUNC: fprintf(f, " %s", va_arg(v, char *)); break;
  case GASP_UPC_NOTIFY: case GASP_UPC_WAIT: case GASP_UPC_BARRIER: INT; INT; break;
  case GASP_UPC_GLOBAL_ALLOC: case GASP_UPC_ALL_ALLOC: SIZE; SIZE; if (end) PTS; break;
  case GASP_UPC_ALLOC: SIZE; if (end) PTS; break;
  case GASP_UPC_FREE: case GASP_UPC_ALL_FREE: PTS; break;
  case GASP_UPC_GLOBAL_LOCK_ALLOC: case GASP_UPC_ALL_LOCK_ALLOC: if (end) PTS; break;
  case GASP_UPC_LOCK: case GASP_UPC_UNLOCK: case GASP_UPC_LOCK_FREE: case GASP_UPC_ALL_LOCK_FREE: PTS; break;
  case GASP_UPC_LOCK_ATTEMPT: PTS; if (end) INT; break;
  case GASP_UPC_MEMGET: PRIVATE; PTS; SIZE; break;
  case GASP_UPC_MEMPUT: PTS; PRIVATE; SIZE; break;
  case GASP_UPC_MEMCPY: PTS; PTS; SIZE; break;
  case GASP_UPC_MEMSET: PTS; INT; SIZE; break;
  case GASP_UPC_GET: INT; PRIVATE; PTS; SIZE; break;
  case GASP_UPC_PUT: INT; PTS; PRIVATE; SIZE; break;
  case GASP_UPC_ALL_BROADCAST: case GASP_UPC_ALL_SCATTER: case GASP_UPC_ALL_GATHER: case GASP_UPC_ALL_GATHER_ALL:
  case GASP_UPC_ALL_EXCHANGE: PTS; PTS; SIZE; INT; break;
  case GASP_UPC_ALL_PERMUTE: PTS; PTS; PTS; SIZE; INT; break;
  case GASP_UPC_ALL_REDUCE: case GASP_UPC_ALL_PREFIX_REDUCE:
    PTS; PTS; INT; SIZE; SIZE; fprintf(f, va_arg(v, void *) ? " function" : " none"); INT; INT; break;
  case GASP_UPC_COLLECTIVE_EXIT: case GASP_UPC_NONCOLLECTIVE_EXIT: INT; break;
  default:
    if (tag >= GASP_UPC_USEREVT_START && tag <= GASP_UPC_USEREVT_END) INT;
  }
  fprintf(f, "\n");
  fflush(f);
  va_end(v);
}

void gasp_event_notify(gasp_context_t c, unsigned tag, gasp_evttype_t type, const char *file, int line, int col, ...) {
  va_list v;
  va_start(v, col);
  gasp_event_notifyVA(c, tag, type, file, line, col, v);
  va_end(v);
}

int gasp_control(gasp_context_t c, int on) {
  int before = c->on;
  c->on = on;
  fprintf(c->file, "CONTROL %d\n", on);
  return before;
}

unsigned gasp_create_event(gasp_context_t c, const char *name, const char *description) {
  fprintf(c->file, "CREATE %s %s\n", name, description);
  return GASP_UPC_USEREVT_START + c->events++;
}
