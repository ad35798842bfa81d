/* Shared memory: one segment per thread, mapped at the same place in every process, and the static
 * shared objects in it. It is not reserved: it takes what the program touches. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime.h"

#define SEGMENT (1ul << UPCR_SHIFT)
#define PAGE 4096ul
#define GIB 1073741824.0
/* The smallest heap that the runtime settles for by itself. */
#define SMALLEST (64ul << 20)

unsigned long upcr_local_heap;
unsigned long upcr_common_heap;
unsigned long upcr_heap_bytes;

/* The linker's names for the ends of the sections; a program may have none of them. */
extern struct upcr_object *const __start_upcr_objects[] __attribute__((weak));
extern struct upcr_object *const __stop_upcr_objects[] __attribute__((weak));
typedef void (*initialiser)(void);
extern const struct upcr_value *const __start_upcr_values[] __attribute__((weak));
extern const struct upcr_value *const __stop_upcr_values[] __attribute__((weak));
extern const initialiser __start_upcr_init_shared[] __attribute__((weak));
extern const initialiser __stop_upcr_init_shared[] __attribute__((weak));
extern const initialiser __start_upcr_init_private[] __attribute__((weak));
extern const initialiser __stop_upcr_init_private[] __attribute__((weak));

static unsigned long round_up(unsigned long n, unsigned long to) { return (n + to - 1) / to * to; }

/* Gives every static object its place; returns where the heap may begin. Every object has cache
 * lines of its own, so that two scalars do not disturb each other. Offset 0 stays free, so that no
 * object's field of address is 0. */
static unsigned long place_objects(void) {
  unsigned long offset = UPCR_LINE;
  for (struct upcr_object *const *p = __start_upcr_objects; p != __stop_upcr_objects; p++) {
    struct upcr_object *object = *p;
    if (object == NULL || object->addr != 0)
      continue; /* one of several definitions of the same object */
    unsigned long bytes = object->local_bytes != 0 ? object->local_bytes : 1;
    if (bytes > SEGMENT || offset > SEGMENT - bytes) {
      upcr_say("static shared data does not fit: %s%s needs %.1f GiB per thread, at most %.0f GiB "
               "are possible for all",
               object->name, upcr_at(object->file, object->line), (double)bytes / GIB,
               (double)SEGMENT / GIB);
      exit(1);
    }
    object->addr = UPCR_BASE + offset;
    offset = round_up(offset + bytes + upcr_red_zone(), UPCR_LINE);
  }
  return round_up(offset, PAGE);
}

void upcr_segments_start(void) {
  unsigned long fixed = place_objects();
  const char *from;
  unsigned long asked = upcr_agree(upcr_heap_asked_for(&from));
  unsigned long most = (SEGMENT - fixed) / 2 / PAGE * PAGE;
  unsigned long heap = asked != 0 ? round_up(asked, PAGE) : most;
  if (heap > most) heap = most;
  int error;
  while ((error = upcr_map_segments(fixed + 2 * heap)) == ENOMEM && asked == 0 && heap > SMALLEST)
    heap = heap / 2 / PAGE * PAGE;
  if (error == EEXIST) {
    upcr_say("shared memory must be at address 0x%lx, but something else is there; is this program "
             "run under a tool "
             "that takes that part of the address space (a sanitizer, valgrind)?",
             UPCR_BASE);
    exit(1);
  }
  if (error != 0) {
    char less[100];
    snprintf(less, sizeof less, "the size is that of %s; set PGAS_SHARED_HEAP to less", from);
    upcr_say("cannot map %.1f GiB of shared memory for each of %d threads: %s; %s",
             (double)(fixed + 2 * heap) / GIB, upcr_threads, strerror(error),
             asked != 0
                 ? less
                 : "check the limits of virtual memory (ulimit -v, sysctl vm.overcommit_memory)");
    exit(1);
  }
  upcr_local_heap = fixed;
  upcr_common_heap = fixed + heap;
  upcr_heap_bytes = heap;
  /* A core file would take as long as reading all of it. */
  for (int t = upcr_near_first(); t < upcr_near_end(); t++)
    madvise((void *)upcr_segment(t), fixed + 2 * heap, MADV_DONTDUMP);
}

/* Thread 0 can reach all memory of a machine; of several, each thread initialises its own. */
static int is_for_us(upcr_addr_t at) {
#ifdef UPCR_MPI
  return upcr_thread_of(at) == upcr_mythread;
#else
  (void)at;
  return 1;
#endif
}

/* Skips values of an initialiser beyond the end of the object, which may have fewer elements with
 * fewer threads. */
void upcr_initialise(struct upcr_value v) {
  const struct upcr_object *object = v.object;
  unsigned long size = object->elem_bytes;
  unsigned long threads = object->per_thread ? (unsigned long)upcr_threads : 1;
  unsigned long elements = object->elements * threads;
  unsigned long row = v.bound * v.inner, own_row = v.factor * threads * v.inner;
  for (unsigned long i = 0; i < v.bytes / size; i++) {
    unsigned long to = i;
    if (v.bound != 0) {
      if (i % row >= own_row) continue;
      to = i / row * own_row + i % row;
    }
    if (to >= elements) continue;
    upcr_addr_t at = object->block == 0
                         ? upcr_elem_indef(object->addr, (long)to, size)
                         : upcr_elem_blocked(object->addr, (long)to, size, (long)object->block);
    if (is_for_us(at)) memcpy((void *)at, (const char *)v.value + i * size, size);
  }
}

void upcr_run_initialisers(void) {
#ifdef UPCR_MPI
  int is_first = 1;
#else
  int is_first = upcr_mythread == 0;
#endif
  if (is_first) {
    for (const struct upcr_value *const *v = __start_upcr_values; v != __stop_upcr_values; v++)
      if (*v != NULL) upcr_initialise(**v);
    for (const initialiser *f = __start_upcr_init_shared; f != __stop_upcr_init_shared; f++)
      if (*f != NULL) (*f)();
  }
  for (const initialiser *f = __start_upcr_init_private; f != __stop_upcr_init_private; f++)
    if (*f != NULL) (*f)();
}
