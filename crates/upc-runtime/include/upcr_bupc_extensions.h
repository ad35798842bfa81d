/* Berkeley UPC's extensions to the specification, for programs written for it. upc.h includes this;
 * value-based collectives have a header of their own (bupc_collectivev.h), as there.
 * __BERKELEY_UPC__ is not defined, because it also stands for that compiler's own pragmas and entry
 * points. */
#ifndef UPCR_BUPC_EXTENSIONS_H
#define UPCR_BUPC_EXTENSIONS_H

#include "upcr_bupc_async.h"
#include "upcr_bupc_atomics.h"
#include "upcr_bupc_pointers.h"
#include "upcr_bupc_sem.h"
#include "upcr_bupc_timers.h"

/* Same as upc_poll. */
extern void bupc_poll(void);
/* Ends the program as exit does: threads wait for each other. */
extern void bupc_exit(int __status) __attribute__((__noreturn__));
/* Variables of the environment are the same on all threads. */
extern char *bupc_getenv(const char *__name);
/* Names of before, which Berkeley UPC has in its headers always. */
#define UPC_DUMP_MIN_LENGTH BUPC_DUMP_MIN_LENGTH
#define upc_dump_shared(ptr, text, size) bupc_dump_shared(ptr, text, size)

/* ---- Berkeley UPC's own tracing, which does not exist here: a program's calls do nothing ---- */

#define bupc_trace_printf(parenthesized_args) ((void)0)
extern void bupc_trace_setmask(const char *__mask);
extern const char *bupc_trace_getmask(void);
extern void bupc_trace_settracelocal(int __on);
extern int bupc_trace_gettracelocal(void);
extern void bupc_stats_setmask(const char *__mask);
extern const char *bupc_stats_getmask(void);

#endif
