/* Checks of single accesses, pointers-to-shared and casts, and the words in which addresses are
 * told to people. */
#include <stdarg.h>
#include <stdio.h>

#include "check.h"
#include "pgas_upcr_check.h"

static const char *const verbs[] = {"reads", "writes", "updates"};

/* ---- Words ---- */

void upcr_fault(struct upcr_place at, const char *format, ...) {
  char text[1600];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (at.file == NULL) upcr_fatal("thread %d: %s", upcr_mythread, text);
  upcr_fatal("%s:%d: thread %d: %s", at.file, at.line, upcr_mythread, text);
}

void upcr_describe_region(char *text, size_t size, const struct upcr_region *r) {
  const char *at = upcr_at(r->at.file, r->at.line);
  if (r->kind == UPCR_STATIC) snprintf(text, size, "the shared object %s%s", r->name, at);
  else
    snprintf(text, size, "the %s that thread %d allocated with %s%s",
             r->kind == UPCR_LOCK ? "lock" : "memory", r->by, r->name, at);
}

/* "element 9 of the shared object a (x.upc:3), which has elements 0 to 7" */
static void describe_element(char *text, size_t size, const struct upcr_region *r,
                             upcr_addr_t addr) {
  char object[UPCR_TEXT];
  upcr_describe_region(object, sizeof object, r);
  long byte = (long)(addr & UPCR_OFFSET_MASK) - (long)r->begin;
  if (r->kind == UPCR_LOCK && byte == 0) {
    snprintf(text, size, "%s", object);
    return;
  }
  if (r->kind != UPCR_STATIC) {
    char part[64] = "";
    if (r->thread < 0)
      snprintf(part, sizeof part, "the part on thread %d of ", upcr_thread_of(addr));
    snprintf(text, size, "byte %ld of %s%s, which has bytes 0 to %lu", byte, part, object,
             r->end - r->begin - 1);
    return;
  }
  long bytes = (long)r->elem_bytes, block = (long)r->block;
  long element = byte / bytes - (byte % bytes < 0);
  if (block != 0) {
    long row = element / block - (element % block < 0);
    element = (row * upcr_threads + upcr_thread_of(addr)) * block + element - row * block;
  }
  if (r->elements == 1 && element == 0) snprintf(text, size, "%s", object);
  else
    snprintf(text, size, "element %ld of %s, which has elements 0 to %lu", element, object,
             r->elements - 1);
}

void upcr_describe_address(char *text, size_t size, upcr_addr_t addr) {
  int thread = upcr_thread_of(addr);
  unsigned long offset = addr & UPCR_OFFSET_MASK;
  char object[UPCR_TEXT];
  if (addr == 0) {
    snprintf(text, size, "a null pointer");
    return;
  }
  if (addr < 1ul << UPCR_SHIFT) {
    snprintf(text, size, "0x%lx, which is no pointer-to-shared", addr);
    return;
  }
  if (thread < 0 || thread >= upcr_threads) {
    snprintf(text, size, "thread %d, but there are only threads 0 to %d", thread, upcr_threads - 1);
    return;
  }
  const struct upcr_region *r = upcr_region_of(addr);
  if (r != NULL && atomic_load(&r->state) == UPCR_FREED && offset >= r->begin && offset < r->end) {
    upcr_describe_region(object, sizeof object, r);
    snprintf(text, size, "%s, which thread %d has freed with %s%s", object, r->freed_by,
             r->freed_with, upcr_at(r->freed_at.file, r->freed_at.line));
    return;
  }
  if (r == NULL || atomic_load(&r->state) != UPCR_LIVE) r = upcr_region_near(addr);
  if (r == NULL || atomic_load(&r->state) != UPCR_LIVE) {
    snprintf(text, size, "address field 0x%lx on thread %d, where no shared object is", offset,
             thread);
    return;
  }
  upcr_describe_region(object, sizeof object, r);
  if (r->thread >= 0 && r->thread != thread)
    snprintf(text, size, "a place on thread %d, but all of %s is on thread %d", thread, object,
             r->thread);
  else describe_element(text, size, r, addr);
}

/* ---- Accesses ---- */

/* `verb`: "reads" */
static void refuse_access(upcr_addr_t addr, unsigned long size, const char *verb,
                          struct upcr_place at) __attribute__((noreturn));
static void refuse_access(upcr_addr_t addr, unsigned long size, const char *verb,
                          struct upcr_place at) {
  char where[UPCR_TEXT];
  if (addr < 1ul << UPCR_SHIFT)
    upcr_fault(at, "%s through a null pointer-to-shared (0x%lx)", verb, addr);
  upcr_describe_address(where, sizeof where, addr);
  const struct upcr_region *r = upcr_region_of(addr);
  if (upcr_thread_of(addr) < 0 || upcr_thread_of(addr) >= upcr_threads)
    upcr_fault(at, "%s through a pointer-to-shared to %s", verb, where);
  if (r != NULL && atomic_load(&r->state) == UPCR_LIVE && upcr_region_has(r, addr, 1, 0))
    upcr_fault(at, "%s %lu bytes, of which some are behind the end, from %s", verb, size, where);
  upcr_fault(at, "%s %lu bytes at %s", verb, size, where);
}

upcr_addr_t upcr_check_access(upcr_addr_t addr, unsigned long size, unsigned long align, int what,
                              const char *file, int line) {
  const struct upcr_region *r = upcr_region_of(addr);
  if (__builtin_expect(r == NULL || !upcr_region_has(r, addr, size, 0), 0))
    refuse_access(addr, size, verbs[what], (struct upcr_place){file, line});
  return upcr_check_align(addr, align, file, line);
}

void upcr_check_bytes(upcr_addr_t addr, unsigned long n, const char *what, struct upcr_place at) {
  const struct upcr_region *r = upcr_region_of(addr);
  if (n == 0 || (r != NULL && upcr_region_has(r, addr, n, 1))) return;
  unsigned long offset = addr & UPCR_OFFSET_MASK;
  if (r == NULL || !upcr_region_has(r, addr, 1, 1)) refuse_access(addr, n, what, at);
  char object[UPCR_TEXT];
  upcr_describe_region(object, sizeof object, r);
  upcr_fault(at,
             "%s %lu bytes from byte %lu on, which is %lu beyond the end of the part on thread %d "
             "of %s: that part has "
             "%lu bytes",
             what, n, offset - r->begin, offset + n - r->end, upcr_thread_of(addr), object,
             r->end - r->begin);
}

void upcr_align_failed(upcr_addr_t addr, unsigned long align, const char *file, int line) {
  char where[UPCR_TEXT];
  struct upcr_place at = {file, line};
  upcr_describe_address(where, sizeof where, addr);
  upcr_fault(at,
             "a misaligned pointer-to-shared: its address must be a multiple of %lu and is %lu "
             "more; it is %s",
             align, addr % align, where);
}

void upcr_pointer_failed(upcr_pts p, long block, const char *file, int line) {
  struct upcr_place at = {file, line};
  if (p.addr == 0) upcr_fault(at, "an access through a null pointer-to-shared");
  upcr_fault(
      at, "a pointer-to-shared with the impossible phase %lu: its type has blocks of %ld element%s",
      p.phase, block, block == 1 ? "" : "s");
}

void upcr_index_failed(long i, long n, int dimension, const char *name,
                       const struct upcr_object *object, const char *file, int line) {
  char which[40] = "", origin[UPCR_TEXT] = "";
  if (dimension != 0) snprintf(which, sizeof which, "in dimension %d ", dimension);
  if (object != NULL && object->file != NULL)
    snprintf(origin, sizeof origin, "; it is declared in %s:%d", object->file, object->line);
  struct upcr_place at = {file, line};
  if (n <= 0) upcr_fault(at, "index %ld %sof %s, which has no elements%s", i, which, name, origin);
  upcr_fault(at, "index %ld %sof %s is not within the bounds 0 to %ld%s", i, which, name, n - 1,
             origin);
}

/* ---- Pointers ---- */

/* The live object that a pointer points into or one behind, null if there is none. */
static struct upcr_region *region_of_pointer(upcr_addr_t addr) {
  struct upcr_region *r = upcr_region_of(addr);
  if (r == NULL) r = upcr_region_of(addr - 1);
  return r != NULL && atomic_load(&r->state) == UPCR_LIVE ? r : NULL;
}

static void refuse_cast(upcr_addr_t addr, const char *of, struct upcr_place at)
    __attribute__((noreturn));
static void refuse_cast(upcr_addr_t addr, const char *of, struct upcr_place at) {
  char where[UPCR_TEXT];
  upcr_describe_address(where, sizeof where, addr);
  upcr_fault(at, "a cast to a private pointer of %s: %s", of, where);
}

upcr_addr_t upcr_check_cast(upcr_addr_t addr, const char *file, int line) {
  if (addr == 0) return addr;
  struct upcr_place at = {file, line};
  int thread = upcr_thread_of(addr);
  if (addr < UPCR_BASE || thread >= upcr_threads) refuse_cast(addr, "what points to no thread", at);
  if (thread != upcr_mythread) {
    char of[80];
    snprintf(of, sizeof of, "data of thread %d, which only that thread may do", thread);
    refuse_cast(addr, of, at);
  }
  if (region_of_pointer(addr) == NULL) refuse_cast(addr, "what is no shared object", at);
  return addr;
}

upcr_pts upcr_check_target(upcr_pts p, unsigned long size, const char *file, int line) {
  upcr_check_access(p.addr, size, size <= 8 ? size : 8, UPCR_UPDATES, file, line);
  return p;
}

upcr_pts upcr_check_castable(upcr_pts p, const char *file, int line) {
  struct upcr_place at = {file, line};
  char where[UPCR_TEXT];
  if (p.addr == 0 || region_of_pointer(p.addr) != NULL) return p;
  upcr_describe_address(where, sizeof where, p.addr);
  upcr_fault(at, "a cast to a private pointer of what is no shared object: %s", where);
}

void upcr_check_same(upcr_pts p, upcr_pts q, const char *file, int line) {
  if (p.addr == q.addr) return;
  const struct upcr_region *r = region_of_pointer(p.addr), *s = region_of_pointer(q.addr);
  struct upcr_place at = {file, line};
  if (p.addr != 0 && q.addr != 0) {
    /* Further than one behind the end, a pointer belongs to nothing. */
    if (r == s || r == NULL || s == NULL) return;
  }
  char first[UPCR_TEXT], second[UPCR_TEXT];
  upcr_describe_address(first, sizeof first, p.addr);
  upcr_describe_address(second, sizeof second, q.addr);
  upcr_fault(
      at, "pointers into different objects are compared or subtracted: one is %s, the other is %s",
      first, second);
}
