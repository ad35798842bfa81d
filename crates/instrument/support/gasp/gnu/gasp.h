/* GASP 1.5 with the numbers that GNU UPC and Clang UPC give to events: for installations without this header. */
#ifndef GASP_H
#define GASP_H
#include <stdarg.h>
typedef enum { GASP_MODEL_UPC } gasp_model_t;
typedef enum { GASP_START, GASP_END, GASP_ATOMIC } gasp_evttype_t;
struct _gasp_context_S;
typedef struct _gasp_context_S *gasp_context_t;
extern gasp_context_t gasp_init(gasp_model_t, int *, char ***);
extern void gasp_event_notify(gasp_context_t, unsigned int, gasp_evttype_t, const char *, int, int, ...);
extern void gasp_event_notifyVA(gasp_context_t, unsigned int, gasp_evttype_t, const char *, int, int, va_list);
extern int gasp_control(gasp_context_t, int);
extern unsigned int gasp_create_event(gasp_context_t, const char *, const char *);
#define GASP_C_FUNC 1
#define GASP_C_MALLOC 2
#define GASP_C_REALLOC 3
#define GASP_C_FREE 4
#endif
