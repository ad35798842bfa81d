/* Data that a crashing thread leaves for the supervisor's message. */
#ifndef UPCR_CRASH_H
#define UPCR_CRASH_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define UPCR_CRASH_PLACES 12

struct upcr_crash {
  _Atomic int signal;
  _Atomic int complete; /* what follows is there */
  int code;             /* si_code */
  int on_stack;         /* the address is one of the stack, or just below it */
  int in_program;       /* the first of `places` is where it happened */
  uintptr_t address;
  int count;
  uintptr_t places[UPCR_CRASH_PLACES]; /* in the executable, from its begin */
};

/* The first of some places in the executable that is in a source file, in words such as " main at
 * prog.upc:7", or nothing. `first_way` comes before it if it is the first of all, `way` if it is
 * another one. Asks the system's addr2line. */
void upcr_describe_place(char *text, size_t size, const uintptr_t *places, int count,
                         const char *first_way, const char *way)
    __attribute__((visibility("hidden")));

/* Where the executable was linked to be, 0 if it can be anywhere. */
unsigned long upcr_link_address(void) __attribute__((visibility("hidden")));

/* In words, where the thread crashed and why, beginning with a space or a colon; nothing if that is
 * not known. */
void upcr_describe_crash(char *text, size_t size, const struct upcr_crash *crash)
    __attribute__((visibility("hidden")));

#endif
