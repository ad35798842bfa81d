/* Which addresses of shared memory belong to which object. Every object begins on a line of 64
 * bytes and none shares a line with another, so a map from lines to numbers of objects is enough.
 * It has two levels, so that a large object costs little: a chunk of lines that all belong to one
 * object has its number, any other chunk has one for each line. Objects that are the same on all
 * threads are in one map for all; each thread's own heap has a map of its own. Freed memory stays
 * allocated for a while, so that later uses are noticed. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "check.h"

#define LINE 64ul
#define CHUNK_LINES 1024ul
#define CHUNK (LINE * CHUNK_LINES)
#define MIXED 0xffffffffu /* in a chunk: see its lines */
#define REGIONS (1u << 24)
/* Behind every object, so that what goes a little too far does not meet the next one. */
#define RED_ZONE 192ul
#define KEPT 4096
#define KEPT_BYTES (16ul << 20)

struct shadow {
  struct upcr_guard guard;
  uint32_t given;  /* numbers of objects that have been given out; 0 is none */
  uint32_t unused; /* one that is not used any more */
  /* Memory that was freed and is kept from being allocated again, the oldest at `first`. */
  unsigned first, kept;
  unsigned long kept_bytes;
  struct {
    upcr_pts p;
    unsigned long bytes;
    const char *call;
  } queue[KEPT];
};

static struct shadow *shadow;
static struct upcr_region *regions;
static _Atomic uint32_t *chunks, *lines; /* of all maps, one after the other */
static unsigned long chunks_each, lines_each, most_kept;

__thread struct upcr_place upcr_place;

extern struct upcr_object *const __start_upcr_objects[] __attribute__((weak));
extern struct upcr_object *const __stop_upcr_objects[] __attribute__((weak));

/* ---- Looking up ---- */

static unsigned long limit(void) { return upcr_common_heap + upcr_heap_bytes; }

/* The map of all threads is 0, that of a thread's own heap is its number plus one. */
static unsigned long map_of(int thread, unsigned long offset) {
  return offset >= upcr_local_heap && offset < upcr_common_heap ? (unsigned long)thread + 1 : 0;
}

static uint32_t number_at(unsigned long map, unsigned long offset) {
  uint32_t number =
      atomic_load_explicit(&chunks[map * chunks_each + offset / CHUNK], memory_order_acquire);
  return number != MIXED
             ? number
             : atomic_load_explicit(&lines[map * lines_each + offset / LINE], memory_order_acquire);
}

static int in_segments(upcr_addr_t addr) {
  int thread = upcr_thread_of(addr);
  return addr >= UPCR_BASE && thread < upcr_threads && (addr & UPCR_OFFSET_MASK) < limit();
}

struct upcr_region *upcr_region_of(upcr_addr_t addr) {
  if (!in_segments(addr)) return NULL;
  unsigned long offset = addr & UPCR_OFFSET_MASK;
  uint32_t number = number_at(map_of(upcr_thread_of(addr), offset), offset);
  return number == 0 ? NULL : &regions[number];
}

struct upcr_region *upcr_region_near(upcr_addr_t addr) {
  for (unsigned long distance = LINE; distance <= 64 * LINE; distance += LINE) {
    struct upcr_region *before = upcr_region_of(addr - distance),
                       *after = upcr_region_of(addr + distance);
    if (before != NULL) return before;
    if (after != NULL) return after;
  }
  return NULL;
}

/* Whether the byte at this offset of a thread's part belongs to an element. */
static int is_in_element(const struct upcr_region *r, int thread, unsigned long byte) {
  unsigned long element = byte / r->elem_bytes;
  if (r->block != 0)
    element =
        (element / r->block * (unsigned long)upcr_threads + (unsigned long)thread) * r->block +
        element % r->block;
  return element < r->elements;
}

int upcr_region_has(const struct upcr_region *r, upcr_addr_t addr, unsigned long size,
                    int padding) {
  unsigned long offset = addr & UPCR_OFFSET_MASK;
  int thread = upcr_thread_of(addr);
  if (atomic_load_explicit(&r->state, memory_order_relaxed) != UPCR_LIVE || offset < r->begin ||
      (r->thread >= 0 && r->thread != thread))
    return 0;
  if (size <= r->full && offset <= r->full - size) return 1;
  if (size > r->end || offset > r->end - size) return 0;
  return padding || is_in_element(r, thread, offset - r->begin + size - 1);
}

/* ---- Entering objects ---- */

/* Makes the lines of a range those of an object. */
static void mark(unsigned long map, unsigned long begin, unsigned long end, uint32_t number) {
  _Atomic uint32_t *chunk = &chunks[map * chunks_each], *line = &lines[map * lines_each];
  for (unsigned long at = begin; at < end;) {
    unsigned long c = at / CHUNK, stop = (c + 1) * CHUNK;
    if (at % CHUNK == 0 && stop <= end) {
      atomic_store_explicit(&chunk[c], number, memory_order_release);
    } else {
      uint32_t all = atomic_load(&chunk[c]);
      if (all != MIXED) {
        for (unsigned long i = c * CHUNK_LINES; i < (c + 1) * CHUNK_LINES; i++)
          atomic_store_explicit(&line[i], all, memory_order_relaxed);
        atomic_store_explicit(&chunk[c], MIXED, memory_order_release);
      }
      if (stop > end) stop = end;
      for (unsigned long i = at / LINE; i * LINE < stop; i++)
        atomic_store_explicit(&line[i], number, memory_order_release);
    }
    at = stop;
  }
}

static uint32_t new_number(void) {
  upcr_guard_enter(&shadow->guard);
  uint32_t number = shadow->unused;
  if (number != 0) shadow->unused = regions[number].next_unused;
  else if (shadow->given < REGIONS - 1) number = ++shadow->given;
  upcr_guard_leave(&shadow->guard);
  if (number == 0)
    upcr_fault(upcr_place,
               "more than %u shared objects at a time, which is more than -fupc-check can follow",
               REGIONS);
  return number;
}

/* Where the lines of an object end. */
static unsigned long lines_end(const struct upcr_region *r) {
  return (r->end + LINE - 1) / LINE * LINE;
}

/* Enters an object whose other fields are set. */
static void enter(struct upcr_region *r, uint32_t number) {
  unsigned long map = map_of(r->thread < 0 ? 0 : r->thread, r->begin);
  atomic_store(&r->state, UPCR_LIVE);
  upcr_guard_enter(&shadow->guard);
  mark(map, r->begin, lines_end(r), number);
  upcr_guard_leave(&shadow->guard);
}

static void lay_out(struct upcr_region *r, unsigned long elem_bytes, unsigned long block,
                    unsigned long elements) {
  r->elem_bytes = elem_bytes;
  r->block = block;
  r->elements = elements;
  unsigned long rounds = block == 0 ? 0 : elements / (block * (unsigned long)upcr_threads);
  r->full = block == 0 ? r->begin + elements * elem_bytes : r->begin + rounds * block * elem_bytes;
}

static void enter_static(const struct upcr_object *object) {
  uint32_t number = new_number();
  struct upcr_region *r = &regions[number];
  r->kind = UPCR_STATIC;
  r->thread = object->block == 0 ? 0 : -1;
  r->by = -1;
  r->begin = object->addr & UPCR_OFFSET_MASK;
  r->end = r->begin + object->local_bytes;
  r->name = object->name;
  r->at = (struct upcr_place){object->file, object->line};
  lay_out(r, object->elem_bytes != 0 ? object->elem_bytes : 1, object->block,
          object->elements * (object->per_thread ? (unsigned long)upcr_threads : 1));
  enter(r, number);
}

static void allocated(upcr_addr_t addr, unsigned long blocks, unsigned long bytes, int is_lock,
                      const char *call) {
  uint32_t number = new_number();
  struct upcr_region *r = &regions[number];
  unsigned long offset = addr & UPCR_OFFSET_MASK, threads = (unsigned long)upcr_threads;
  int common = offset >= upcr_common_heap;
  r->kind = is_lock ? UPCR_LOCK : UPCR_MEMORY;
  r->thread = common ? -1 : upcr_thread_of(addr);
  r->by = upcr_mythread;
  r->begin = offset;
  r->end = offset + (common ? blocks / threads + (blocks % threads != 0) : blocks) * bytes;
  r->name = call;
  r->at = upcr_place;
  r->locked_at = (struct upcr_place){NULL, 0};
  lay_out(r, 1, common ? bytes : 0, blocks * bytes);
  enter(r, number);
}

/* ---- Freeing ---- */

/* Within the guard. */
static void release_oldest(void) {
  upcr_pts p = shadow->queue[shadow->first].p;
  const char *call = shadow->queue[shadow->first].call;
  struct upcr_region *r = upcr_region_of(p.addr);
  mark(map_of(r->thread < 0 ? 0 : r->thread, r->begin), r->begin, lines_end(r), 0);
  atomic_store(&r->state, UPCR_UNUSED);
  r->next_unused = shadow->unused;
  shadow->unused = (uint32_t)(r - regions);
  shadow->kept_bytes -= shadow->queue[shadow->first].bytes;
  shadow->first = (shadow->first + 1) % KEPT;
  shadow->kept--;
  upcr_heap_free(p, call);
}

struct upcr_region *upcr_check_free(upcr_pts p, int kind, const char *call) {
  struct upcr_region *r = upcr_region_of(p.addr);
  char where[UPCR_TEXT];
  upcr_describe_address(where, sizeof where, p.addr);
  if (r == NULL || r->kind == UPCR_STATIC)
    upcr_fault(upcr_place, "%s of a pointer that no allocation gave: %s", call, where);
  if (atomic_load(&r->state) == UPCR_FREED)
    upcr_fault(upcr_place, "%s of memory that was freed before: %s", call, where);
  unsigned long offset = p.addr & UPCR_OFFSET_MASK;
  if (offset != r->begin || upcr_thread_of(p.addr) != (r->thread < 0 ? 0 : r->thread))
    upcr_fault(upcr_place, "%s of a pointer that is not to the begin of an allocation: %s", call,
               where);
  if (r->kind != kind)
    upcr_fault(upcr_place, "%s of %s: %s", call,
               r->kind == UPCR_LOCK ? "a lock" : "memory that is not a lock", where);
  return r;
}

static void freeing(upcr_pts p, int is_lock, const char *call) {
  struct upcr_region *r = upcr_check_free(p, is_lock ? UPCR_LOCK : UPCR_MEMORY, call);
  int live = UPCR_LIVE;
  if (!atomic_compare_exchange_strong(&r->state, &live, UPCR_FREED))
    upcr_fault(upcr_place, "%s of memory that another thread frees at the same time", call);
  r->freed_with = call;
  r->freed_by = upcr_mythread;
  r->freed_at = upcr_place;
  unsigned long bytes = r->end - r->begin;
  upcr_guard_enter(&shadow->guard);
  while (shadow->kept != 0 && (shadow->kept == KEPT || shadow->kept_bytes + bytes > most_kept))
    release_oldest();
  unsigned last = (shadow->first + shadow->kept++) % KEPT;
  shadow->queue[last].p = p;
  shadow->queue[last].bytes = bytes;
  shadow->queue[last].call = call;
  shadow->kept_bytes += bytes;
  if (bytes > most_kept) release_oldest();
  upcr_guard_leave(&shadow->guard);
}

/* ---- Start ---- */

static void *map_shared(unsigned long bytes) {
  void *at =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) {
    upcr_say("no %lu MiB of address space for the tables of -fupc-check: %s; set PGAS_SHARED_HEAP "
             "to less",
             bytes >> 20, strerror(errno));
    exit(1);
  }
  madvise(at, bytes, MADV_DONTDUMP);
  return at;
}

static void start(void) {
  unsigned long maps = (unsigned long)upcr_threads + 1;
  chunks_each = limit() / CHUNK + 2;
  lines_each = chunks_each * CHUNK_LINES;
  shadow = map_shared(sizeof *shadow);
  regions = map_shared(REGIONS * sizeof *regions);
  chunks = map_shared(maps * chunks_each * sizeof *chunks);
  lines = map_shared(maps * lines_each * sizeof *lines);
  most_kept = upcr_heap_bytes / 32 < KEPT_BYTES ? upcr_heap_bytes / 32 : KEPT_BYTES;
  for (struct upcr_object *const *p = __start_upcr_objects; p != __stop_upcr_objects; p++) {
    const struct upcr_object *object = *p;
    /* One of several definitions may be listed more than once. */
    if (object == NULL || object->local_bytes == 0 || upcr_region_of(object->addr) != NULL)
      continue;
    enter_static(object);
  }
  upcr_together_start();
}

const struct upcr_checks upcr_checks = {RED_ZONE, start, allocated, freeing};
