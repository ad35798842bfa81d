/* The shared heaps: one per thread for memory of its affinity, and a common one whose blocks are at
 * the same offset of every segment. Each is a two-level segregated fit allocator (M. Masmano and
 * others, TLSF, 2004): constant time, and free neighbours are joined. Memory is zero when it is
 * allocated for the first time; what was freed keeps its pages and its content, so that allocating
 * again costs no page faults. A block is preceded by a header of one cache line; that of a common
 * block is in thread 0's segment. */
#define _GNU_SOURCE
#include <string.h>

#include "runtime.h"

#define GRAIN 64ul
#define HEADER 64ul
#define USED 0x7570635f75736564ul /* so that a stray pointer is not taken for a block */
#define FREE 0x7570635f66726565ul

struct header {
  uint64_t state;
  uint64_t size;                     /* with the header, a multiple of GRAIN */
  uint64_t previous;                 /* size of the block before this one, 0 for the first */
  uint32_t next_free, previous_free; /* in grains from the segment's begin; 0 for none */
  _Atomic uint32_t free_arrivals;
} UPCR_ALIGNED;

/* A heap, as seen by an operation on it. */
struct heap {
  struct upcr_arena *arena;
  upcr_addr_t segment; /* that holds the headers */
  unsigned long begin; /* offset */
  int common;
};

static struct heap heap_of_thread(int thread) {
  struct heap h = {&upcr_control->threads[thread].arena, upcr_segment(thread), upcr_local_heap, 0};
  return h;
}

static struct heap common_heap(void) {
  struct heap h = {&upcr_control->common, upcr_segment(0), upcr_common_heap, 1};
  return h;
}

void upcr_heap_start(void) {
  for (int t = 0; t < upcr_threads; t++) upcr_control->threads[t].arena.end = upcr_local_heap;
  upcr_control->common.end = upcr_common_heap;
}

static struct header *header_at(const struct heap *h, unsigned long offset) {
  return upcr_local(h->segment + offset);
}

/* ---- Classes of sizes ---- */

static void class_of(unsigned long size, int *first, int *second) {
  int log2 = 63 - __builtin_clzl(size);
  *first = log2;
  /* Sizes are at least 2^6. */
  *second = (int)(size >> (log2 - 4)) & (UPCR_SECOND_LEVEL - 1);
}

static void insert(const struct heap *h, unsigned long offset) {
  struct header *b = header_at(h, offset);
  int first, second;
  class_of(b->size, &first, &second);
  uint32_t *head = &h->arena->heads[first][second];
  b->state = FREE;
  b->previous_free = 0;
  b->next_free = *head;
  if (*head != 0) header_at(h, *head * GRAIN)->previous_free = (uint32_t)(offset / GRAIN);
  *head = (uint32_t)(offset / GRAIN);
  h->arena->levels |= 1ul << first;
  h->arena->classes[first] |= (uint16_t)(1u << second);
}

static void take_out(const struct heap *h, unsigned long offset) {
  struct header *b = header_at(h, offset);
  int first, second;
  class_of(b->size, &first, &second);
  if (b->next_free != 0) header_at(h, b->next_free * GRAIN)->previous_free = b->previous_free;
  if (b->previous_free != 0) {
    header_at(h, b->previous_free * GRAIN)->next_free = b->next_free;
  } else {
    h->arena->heads[first][second] = b->next_free;
    if (b->next_free == 0) {
      h->arena->classes[first] &= (uint16_t)~(1u << second);
      if (h->arena->classes[first] == 0) h->arena->levels &= ~(1ul << first);
    }
  }
}

/* A free block of at least `size`, 0 if there is none. */
static unsigned long find(const struct heap *h, unsigned long size) {
  /* Every block of the next class up is large enough. */
  int first, second;
  unsigned long rounded = size + (1ul << (63 - __builtin_clzl(size) - 4)) - 1;
  class_of(rounded, &first, &second);
  if (first < UPCR_FIRST_LEVEL) {
    unsigned classes = h->arena->classes[first] & (0xffffu << second);
    if (classes == 0) {
      uint64_t levels = h->arena->levels & (~0ul << first << 1);
      if (levels != 0) {
        first = __builtin_ctzl(levels);
        classes = h->arena->classes[first];
      }
    }
    if (classes != 0) return h->arena->heads[first][__builtin_ctz(classes)] * GRAIN;
  }
  /* Else the size's own class may have one: worth a few looks before the heap grows. */
  class_of(size, &first, &second);
  unsigned long offset = h->arena->heads[first][second] * GRAIN;
  for (int i = 0; i < 8 && offset != 0; i++) {
    struct header *b = header_at(h, offset);
    if (b->size >= size) return offset;
    offset = b->next_free * GRAIN;
  }
  return 0;
}

/* ---- Allocation ---- */

static unsigned long growth(const struct heap *h) { return h->arena->end - h->begin; }

/* Whether the heap may grow by `size`. The limit is on what a thread's own and the common heap take
 * together. */
static int may_grow(const struct heap *h, unsigned long size) {
  unsigned long most = 0;
  if (h->common) {
    for (int t = upcr_near_first(); t < upcr_near_end(); t++) {
      struct heap other = heap_of_thread(t);
      if (growth(&other) > most) most = growth(&other);
    }
  } else {
    struct heap common = common_heap();
    most = growth(&common);
  }
  return growth(h) + most <= upcr_heap_bytes && size <= upcr_heap_bytes - growth(h) - most;
}

/* Offset of the block's memory, 0 if there is no room. */
static unsigned long allocate(const struct heap *h, unsigned long bytes) {
  if (bytes > upcr_heap_bytes) return 0;
  unsigned long size = (bytes + HEADER + GRAIN - 1) / GRAIN * GRAIN;
  struct upcr_arena *arena = h->arena;
  upcr_guard_enter(&arena->guard);
  unsigned long offset = find(h, size);
  if (offset != 0) {
    take_out(h, offset);
    struct header *b = header_at(h, offset);
    unsigned long rest = b->size - size;
    if (rest >= HEADER + GRAIN) {
      b->size = size;
      struct header *remainder = header_at(h, offset + size);
      remainder->size = rest;
      remainder->previous = size;
      if (arena->last == offset) arena->last = offset + size;
      else header_at(h, offset + size + rest)->previous = rest;
      insert(h, offset + size);
    }
  } else if (may_grow(h, size)) {
    offset = arena->end;
    struct header *b = header_at(h, offset);
    b->size = size;
    b->previous = arena->last == 0 ? 0 : offset - arena->last;
    arena->last = offset;
    arena->end = offset + size;
  }
  if (offset != 0) {
    struct header *b = header_at(h, offset);
    b->state = USED;
    b->next_free = b->previous_free = 0;
    b->free_arrivals = 0;
  }
  upcr_guard_leave(&arena->guard);
  return offset == 0 ? 0 : offset + HEADER;
}

static void exhausted(const struct heap *h, unsigned long bytes, const char *call)
    __attribute__((noreturn));
static void exhausted(const struct heap *h, unsigned long bytes, const char *call) {
  struct heap own = heap_of_thread(upcr_mythread), common = common_heap();
  upcr_fatal("thread %d: %s finds no %lu bytes%s in the shared heap: it has %lu MiB per thread, of "
             "which %lu MiB are taken "
             "by memory that is distributed (upc_all_alloc, upc_global_alloc) and %lu MiB by this "
             "thread's own "
             "(upc_alloc, locks); set PGAS_SHARED_HEAP to more, for example PGAS_SHARED_HEAP=%luMB",
             upcr_actor(), call, bytes, h->common ? " on each thread" : "", upcr_heap_bytes >> 20,
             growth(&common) >> 20, growth(&own) >> 20,
             (upcr_heap_bytes >> 20) * 2 + (bytes >> 20) + 1);
}

upcr_addr_t upcr_heap_local(int thread, unsigned long bytes, const char *call) {
  struct heap h = heap_of_thread(thread);
  unsigned long offset = allocate(&h, bytes);
  if (offset == 0) exhausted(&h, bytes, call);
  return h.segment + offset;
}

upcr_addr_t upcr_heap_common(unsigned long bytes, const char *call) {
#ifdef UPCR_MPI
  if (!upcr_is_near(upcr_segment(0))) return upcr_far_allocate(bytes, call);
#endif
  struct heap h = common_heap();
  unsigned long offset = allocate(&h, bytes);
  if (offset == 0) exhausted(&h, bytes, call);
  return h.segment + offset;
}

/* ---- Freeing ---- */

/* The heap that `p` is from, and the offset of its block; 0 if it was freed before. Ends the
 * program if no allocation can ever have begun there. */
static int locate(upcr_pts p, const char *call, struct heap *found, unsigned long *offset) {
  int thread = upcr_thread_of(p.addr);
  unsigned long field = p.addr & UPCR_OFFSET_MASK;
  if (thread >= 0 && thread < upcr_threads && field >= upcr_local_heap + HEADER &&
      field < upcr_common_heap + upcr_heap_bytes && field % GRAIN == 0) {
    struct heap h = field >= upcr_common_heap ? common_heap() : heap_of_thread(thread);
    *offset = field - HEADER;
    if (!h.common || thread == 0) {
      *found = h;
      if (*offset < h.arena->end && header_at(&h, *offset)->state == USED) return 1;
      upcr_complain("thread %d: %s of a pointer (thread %d, address field 0x%lx) that was freed "
                    "before, or is not the "
                    "begin of an allocation",
                    upcr_actor(), call, thread, field);
      return 0;
    }
  }
  upcr_fatal("thread %d: %s of a pointer (thread %d, address field 0x%lx) that is not the begin of "
             "an allocation",
             upcr_actor(), call, thread, field);
}

int upcr_heap_is_last_to_free(upcr_pts p, const char *call) {
#ifdef UPCR_MPI
  if (!upcr_is_near(p.addr)) return upcr_far_is_last_to_free(p, call);
#endif
  unsigned long offset;
  struct heap h;
  return locate(p, call, &h, &offset) &&
         atomic_fetch_add(&header_at(&h, offset)->free_arrivals, 1) + 1 == (uint32_t)upcr_threads;
}

void upcr_heap_free(upcr_pts p, const char *call) {
#ifdef UPCR_MPI
  if (!upcr_is_near(p.addr)) {
    upcr_far_free(p, call);
    return;
  }
#endif
  unsigned long offset;
  struct heap h;
  if (!locate(p, call, &h, &offset)) return;
  struct upcr_arena *arena = h.arena;
  struct header *b = header_at(&h, offset);
  /* Two threads may free the same block at once: one of them must notice. */
  uint64_t used = USED;
  if (!__atomic_compare_exchange_n(&b->state, &used, 0, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    upcr_complain("thread %d: %s of memory that was freed before", upcr_actor(), call);
    return;
  }

  upcr_guard_enter(&arena->guard);
  unsigned long size = b->size;
  if (arena->last != offset) {
    struct header *next = header_at(&h, offset + size);
    if (next->state == FREE) {
      take_out(&h, offset + size);
      if (arena->last == offset + size) arena->last = offset;
      size += next->size;
      memset(next, 0, HEADER);
    }
  }
  if (b->previous != 0 && header_at(&h, offset - b->previous)->state == FREE) {
    unsigned long before = b->previous;
    take_out(&h, offset - before);
    if (arena->last == offset) arena->last = offset - before;
    memset(b, 0, HEADER);
    offset -= before;
    size += before;
    b = header_at(&h, offset);
  }
  b->size = size;
  if (arena->last == offset) {
    /* The heap shrinks. */
    arena->last = b->previous == 0 ? 0 : offset - b->previous;
    arena->end = offset;
    memset(b, 0, HEADER);
  } else {
    header_at(&h, offset + size)->previous = size;
    insert(&h, offset);
  }
  upcr_guard_leave(&arena->guard);
}
