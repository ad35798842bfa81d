/* Whether all threads make the same collective calls in the same order, with the same arguments
 * where they must be the same. Each thread writes down its calls, numbered, and compares with what
 * the others have under that number. Nobody waits for anybody, so that what the program may do
 * without waiting it still does; of two threads that come at the same time, at least one sees the
 * other. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "check.h"

/* A thread can be this many calls ahead without being missed. */
#define KEPT 64

struct record {
  _Atomic uint64_t number; /* of the call; 0 while it is being written */
  struct upcr_place at;
  struct upcr_together call;
};

/* Set by the driver where all objects of the program are checked; else some calls are not seen. */
extern const int upcr_all_checked __attribute__((weak));

static struct record *records;
static uint64_t number; /* of this thread's latest call */

void upcr_together_start(void) {
  size_t bytes = (size_t)upcr_threads * KEPT * sizeof *records;
  records =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (records == MAP_FAILED) {
    upcr_say("no memory for the checks of collective calls (%zu bytes): %s", bytes,
             strerror(errno));
    exit(1);
  }
}

static struct record *record_of(int thread, uint64_t at) {
  return &records[(size_t)thread * KEPT + at % KEPT];
}

/* ---- Words ---- */

static void describe_value(char *text, size_t size, char type, unsigned long value) {
  switch (type) {
    case 'p': upcr_describe_address(text, size, value); break;
    case 'x': snprintf(text, size, "0x%lx", value); break;
    default: snprintf(text, size, "%ld", (long)value);
  }
}

/* "upc_barrier 3 (x.upc:7)" */
static void describe_call(char *text, size_t size, const struct record *r) {
  const char *at = upcr_at(r->at.file, r->at.line);
  if (strcmp(r->call.kind, "upc_barrier") == 0 && r->call.arguments[0].type != 0)
    snprintf(text, size, "%s %d%s", r->call.call, (int)r->call.arguments[0].value, at);
  else snprintf(text, size, "%s%s", r->call.call, at);
}

static int same_text(const struct record *a, const struct record *b) {
  return strcmp(a->call.call, b->call.call) == 0 && a->at.line == b->at.line &&
         (a->at.file == b->at.file ||
          (a->at.file != NULL && b->at.file != NULL && strcmp(a->at.file, b->at.file) == 0)) &&
         a->call.arguments[0].value == b->call.arguments[0].value;
}

/* Whether two threads are at the same call, or have not come there since the same one. */
static int same_place(const struct record *a, const struct record *b, uint64_t at) {
  if (a == NULL || b == NULL) return a == b;
  return (atomic_load(&a->number) == at) == (atomic_load(&b->number) == at) && same_text(a, b);
}

/* Adds to a text that may be full. */
static void add(char *text, size_t size, size_t *length, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void add(char *text, size_t size, size_t *length, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int more = vsnprintf(text + *length, size - *length, format, arguments);
  va_end(arguments);
  *length = more < 0 || *length + (size_t)more >= size ? size - 1 : *length + (size_t)more;
}

/* Where every thread is: at the call of this number, or has been last before it. */
static void describe_all(char *text, size_t size, uint64_t at) {
  static const struct record *where[UPCR_MAX_THREADS];
  size_t length = 0;
  for (int t = 0; t < upcr_threads; t++) {
    where[t] = NULL;
    for (uint64_t n = at; n > 0 && n + KEPT > at && where[t] == NULL; n--)
      if (atomic_load(&record_of(t, n)->number) == n) where[t] = record_of(t, n);
  }
  for (int t = 0; t < upcr_threads; t++) {
    int others = 0, told = 0;
    for (int u = 0; u < upcr_threads && !told; u++) {
      if (u == t || !same_place(where[u], where[t], at)) continue;
      told = u < t;
      others++;
    }
    if (told) continue;
    add(text, size, &length, "%sthread%s %d", t == 0 ? "" : "; ", others ? "s" : "", t);
    for (int u = t + 1; u < upcr_threads && others; u++)
      if (same_place(where[u], where[t], at)) add(text, size, &length, ", %d", u);
    char call[UPCR_TEXT];
    if (where[t] == NULL) {
      add(text, size, &length, others ? " have called none yet" : " has called none yet");
      continue;
    }
    describe_call(call, sizeof call, where[t]);
    const char *is = others ? "are at" : "is at";
    if (atomic_load(&where[t]->number) != at)
      is = others ? "have not come further than" : "has not come further than";
    add(text, size, &length, " %s %s", is, call);
  }
}

/* ---- Comparing ---- */

static void differ(const struct record *mine, uint64_t at, const char *what)
    __attribute__((noreturn));
static void differ(const struct record *mine, uint64_t at, const char *what) {
  char all[1000];
  describe_all(all, sizeof all, at);
  upcr_fault(mine->at, "%s: %s", what, all);
}

static void compare(const struct record *mine, const struct record *other, uint64_t at,
                    int thread) {
  if (strcmp(mine->call.kind, other->call.kind) != 0)
    differ(mine, at, "all threads must make the same collective calls in the same order");
  for (int i = 0; i < UPCR_ARGUMENTS; i++) {
    char type = mine->call.arguments[i].type;
    /* A barrier may have a value on some threads only. */
    if (type == 0 || other->call.arguments[i].type == 0) continue;
    unsigned long a = mine->call.arguments[i].value, b = other->call.arguments[i].value;
    if (a == b) continue;
    const char *name = mine->call.arguments[i].name;
    char what[2 * UPCR_TEXT + 100], here[UPCR_TEXT], there[UPCR_TEXT];
    describe_value(here, sizeof here, type, a);
    describe_value(there, sizeof there, type, b);
    snprintf(
        what, sizeof what,
        "%s must have the same %s on all threads, but it is %s on thread %d and %s on thread %d",
        mine->call.kind, name, here, upcr_mythread, there, thread);
    differ(mine, at, what);
  }
}

void upcr_check_together(const struct upcr_together *call, struct upcr_place at) {
  if (&upcr_all_checked == NULL || !upcr_all_checked) return;
  struct record *mine = record_of(upcr_mythread, ++number);
  atomic_store(&mine->number, 0);
  mine->at = at;
  mine->call = *call;
  atomic_store(&mine->number, number);
  for (int i = 1; i < upcr_threads; i++) {
    int thread = (upcr_mythread + i) % upcr_threads;
    const struct record *other = record_of(thread, number);
    if (atomic_load(&other->number) != number) continue;
    struct record copy = *other;
    /* It may have gone on meanwhile. */
    if (atomic_load(&other->number) == number) compare(mine, &copy, number, thread);
  }
}
