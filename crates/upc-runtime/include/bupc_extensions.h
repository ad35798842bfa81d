/* What programs written for Berkeley UPC use beyond the specification. upc.h includes this; value-based collectives
 * have a header of their own (bupc_collectivev.h), as there. __BERKELEY_UPC__ is not defined, because it also stands
 * for that compiler's own pragmas and entry points. */
#ifndef BUPC_EXTENSIONS_H
#define BUPC_EXTENSIONS_H

#include <bupc_async.h>
#include <bupc_atomics.h>
#include <bupc_pointers.h>
#include <bupc_sem.h>
#include <bupc_timers.h>

/* Gives way to other threads; for loops that wait for a shared variable. */
extern void bupc_poll(void);

/* ---- Berkeley UPC's own tracing, which does not exist here: a program's calls do nothing ---- */

#define bupc_trace_printf(parenthesized_args) ((void)0)
extern void bupc_trace_setmask(const char *__mask);
extern const char *bupc_trace_getmask(void);
extern void bupc_trace_settracelocal(int __on);
extern int bupc_trace_gettracelocal(void);
extern void bupc_stats_setmask(const char *__mask);
extern const char *bupc_stats_getmask(void);

#endif
