/* How a UPC program talks to the performance tool that measures it (GASP 1.5). In a program that is
 * not instrumented, or not measured, these do nothing. */
#ifndef UPCR_PUPC_H
#define UPCR_PUPC_H

/* Switches recording on or off for this thread; returns what it was. */
extern int pupc_control(int __on)
#ifdef UPCR_INST
    __asm__("upcr_i_pupc_control")
#endif
        ;
/* A number for events of the program's own; `description` is a printf format for their arguments.
 */
extern unsigned int pupc_create_event(const char *__name, const char *__description)
#ifdef UPCR_INST
    __asm__("upcr_i_pupc_create_event")
#endif
        ;
extern void upcr_pupc_event(int __type, const char *__file, int __line, unsigned int __event, ...)
#ifdef UPCR_INST
    __asm__("upcr_i_pupc_event")
#endif
        ;

/* The functions, for pointers to them; calls are the macros below, which also give the place of the
 * call. */
extern void pupc_event_start(unsigned int __event, ...)
#ifdef UPCR_INST
    __asm__("upcr_i_pupc_event_start")
#endif
        ;
extern void pupc_event_end(unsigned int __event, ...)
#ifdef UPCR_INST
    __asm__("upcr_i_pupc_event_end")
#endif
        ;
extern void pupc_event_atomic(unsigned int __event, ...)
#ifdef UPCR_INST
    __asm__("upcr_i_pupc_event_atomic")
#endif
        ;

/* pupc_event_start(event, arguments of its description ...) and so on. */
#define pupc_event_start(...) upcr_pupc_event(0, __FILE__, __LINE__, __VA_ARGS__)
#define pupc_event_end(...) upcr_pupc_event(1, __FILE__, __LINE__, __VA_ARGS__)
#define pupc_event_atomic(...) upcr_pupc_event(2, __FILE__, __LINE__, __VA_ARGS__)

#endif
