/* Queries of a performance tool to the embedded runtime, from plain C: the calling thread, and the
 * target of a pointer-to-shared that came as an event's argument (PTS *). Safe at any time from
 * gasp_init on, also in signal handlers. */
#ifndef PGAS_UPC_QUERY_H
#define PGAS_UPC_QUERY_H

#ifdef __cplusplus
extern "C" {
#endif
/* MYTHREAD and THREADS. */
extern int pgas_upc_mythread(void);
extern int pgas_upc_threads(void);
/* upc_threadof and upc_addrfield of `*pts`; 0 if it is null. */
extern int pgas_upc_threadof(const void *pts);
extern unsigned long pgas_upc_addrfield(const void *pts);
#ifdef __cplusplus
}
#endif

#endif
