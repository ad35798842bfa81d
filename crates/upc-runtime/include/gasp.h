/* The interface between a PGAS implementation and a performance tool, GASP 1.5: the part that all
 * models share. The tool defines these functions; the runtime calls them. Plain C. */
#ifndef GASP_H
#define GASP_H

#include <stdarg.h>

#define GASP_VERSION 20060914

typedef enum {
  GASP_MODEL_UPC = 0,
  GASP_MODEL_TITANIUM = 1,
  GASP_MODEL_CAF = 2,
  GASP_MODEL_MPI = 3,
  GASP_MODEL_SHMEM = 4
} gasp_model_t;
typedef enum { GASP_START = 0, GASP_END = 1, GASP_ATOMIC = 2 } gasp_evttype_t;

/* The tool's own, one for each thread of the program. */
struct _gasp_context_S;
typedef struct _gasp_context_S *gasp_context_t;

#ifdef __cplusplus
extern "C" {
#endif
extern gasp_context_t gasp_init(gasp_model_t __model, int *__argc, char ***__argv);
extern void gasp_event_notify(gasp_context_t __context, unsigned int __tag, gasp_evttype_t __type,
                              const char *__file, int __line, int __column, ...);
extern void gasp_event_notifyVA(gasp_context_t __context, unsigned int __tag, gasp_evttype_t __type,
                                const char *__file, int __line, int __column, va_list __arguments);
extern int gasp_control(gasp_context_t __context, int __on);
extern unsigned int gasp_create_event(gasp_context_t __context, const char *__name,
                                      const char *__description);
#ifdef __cplusplus
}
#endif

/* A call of a C function, and the C heap. */
#define GASP_C_FUNC 1023
#define GASP_C_MALLOC 1020
#define GASP_C_REALLOC 1021
#define GASP_C_FREE 1022

#endif
