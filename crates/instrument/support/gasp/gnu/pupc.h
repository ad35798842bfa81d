/* What a program can tell the tool (GASP 1.5), as the libraries of GNU UPC and Clang UPC have it: for installations without
 * this header. */
#ifndef PUPC_H
#define PUPC_H

/* Switches recording on or off for this thread; returns what it was. */
extern int pupc_control(int on);
/* A number for events of the program's own; `description` is a printf format for their arguments. */
extern unsigned int pupc_create_event(const char *name, const char *description);

extern void pupc_event_start(unsigned int event, ...);
extern void pupc_event_end(unsigned int event, ...);
extern void pupc_event_atomic(unsigned int event, ...);

/* The same, with the place of the call. */
extern void pupc_event_startg(unsigned int event, const char *file, int line, ...);
extern void pupc_event_endg(unsigned int event, const char *file, int line, ...);
extern void pupc_event_atomicg(unsigned int event, const char *file, int line, ...);
#define pupc_event_start(event, ...) pupc_event_startg(event, __FILE__, __LINE__, ##__VA_ARGS__)
#define pupc_event_end(event, ...) pupc_event_endg(event, __FILE__, __LINE__, ##__VA_ARGS__)
#define pupc_event_atomic(event, ...) pupc_event_atomicg(event, __FILE__, __LINE__, ##__VA_ARGS__)

#endif
