/* Declarations that the files of the checks (-fupc-check) share. They know every shared object of
 * the program: which addresses are its own, where it comes from, and whether it was freed. All of
 * it is in memory that the threads share. */
#ifndef UPCR_CHECK_INTERNAL_H
#define UPCR_CHECK_INTERNAL_H

#include "runtime.h"

/* A place in the program; without a file where it is not known, which is so for code that is not
 * checked. */
struct upcr_place {
  const char *file;
  int line;
};

enum upcr_region_kind { UPCR_STATIC, UPCR_MEMORY, UPCR_LOCK };
enum upcr_region_state { UPCR_UNUSED, UPCR_LIVE, UPCR_FREED };

/* A shared object: the bytes from offset `begin` on in the segment of one thread, or of every
 * thread. */
struct upcr_region {
  _Atomic int state;
  int kind;
  int thread; /* -1: every thread has a part */
  int by;     /* the thread that allocated it */
  unsigned long begin;
  unsigned long full; /* up to here, all bytes of every thread's part belong to elements */
  unsigned long end;  /* with the last block's padding */
  /* Layout, for which of the bytes from `full` on belong to elements. */
  unsigned long elem_bytes, block, elements;
  const char *name; /* of a static object; else the function that allocated it */
  struct upcr_place at;
  const char *freed_with;
  int freed_by;
  struct upcr_place freed_at;
  struct upcr_place locked_at;
  uint32_t next_unused; /* number of another that is not used; 0 for none */
} UPCR_ALIGNED;

/* ---- The map (check_map.c) ---- */

/* The object whose line of memory an address is in, null if there is none. It may have been freed,
 * and the address may be before or behind it. */
UPCR_HIDDEN struct upcr_region *upcr_region_of(upcr_addr_t addr);
/* Whether it is live and has all these bytes, counting a last block's padding or not. */
UPCR_HIDDEN int upcr_region_has(const struct upcr_region *r, upcr_addr_t addr, unsigned long size,
                                int padding);
/* The object nearest to an address that is in none, null if there is none near. */
UPCR_HIDDEN struct upcr_region *upcr_region_near(upcr_addr_t addr);
/* Where this thread's call of the library stands, for what is allocated and freed in it. */
extern UPCR_HIDDEN __thread struct upcr_place upcr_place;
/* Ends the program unless the pointer is to the begin of memory, or a lock, that can be freed. */
UPCR_HIDDEN struct upcr_region *upcr_check_free(upcr_pts p, int kind, const char *call);

/* ---- Messages (check_access.c) ---- */

#define UPCR_TEXT 400
/* "a (x.upc:3)", "memory that thread 0 allocated with upc_alloc (x.upc:7)" */
UPCR_HIDDEN void upcr_describe_region(char *text, size_t size, const struct upcr_region *r);
/* Where an address is, in words. */
UPCR_HIDDEN void upcr_describe_address(char *text, size_t size, upcr_addr_t addr);
/* Ends the program: "FILE:LINE: thread N" and the text. */
UPCR_HIDDEN void upcr_fault(struct upcr_place at, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));
/* That `n` bytes from `addr` on are in one thread's part of one object; `what` in words, such as
 * "upc_memget reads". */
UPCR_HIDDEN void upcr_check_bytes(upcr_addr_t addr, unsigned long n, const char *what,
                                  struct upcr_place at);

/* That an atomic operation on `size` bytes can be done there; declared in pgas_upcr_check.h too. */
extern upcr_pts upcr_check_target(upcr_pts p, unsigned long size, const char *file, int line);

/* ---- What all threads do together (check_together.c) ---- */

#define UPCR_ARGUMENTS 7
/* A collective call: what it is compared as, and its arguments: pointer, number, flags or operator
 * in hexadecimal. */
struct upcr_together {
  const char *kind;
  const char *call; /* a notify is the same kind as a barrier */
  struct {
    char type; /* 'p', 'n', 'x', 0 for none */
    const char *name;
    unsigned long value;
  } arguments[UPCR_ARGUMENTS];
};
/* Compares with what the other threads have called in the same place of the order. Never waits. */
UPCR_HIDDEN void upcr_check_together(const struct upcr_together *call, struct upcr_place at);
UPCR_HIDDEN void upcr_together_start(void);

#endif
