/* The computation collectives of UPC 1.3, section 7.3.2: reductions and prefix reductions of every
 * type and operator. In a commutative reduction each thread combines the elements of its own
 * affinity, which lie side by side, and the thread of the destination combines these partial
 * results. A prefix reduction, and a reduction with a function that does not commute, divides the
 * elements among the threads by index: each combines its range, then a prefix reduction goes over
 * it again, from the total of the ranges before. */
#include "collective.h"

/* The elements as the source or destination has them: where element i is. */
struct layout {
  int thread;           /* of element 0's block */
  unsigned long offset; /* of element 0 in the segment */
  unsigned long phase;  /* of element 0 */
  unsigned long block;  /* elements, 0 for indefinite */
  unsigned long size;   /* of an element */
};

static struct layout layout_of(upcr_pts p, unsigned long block, unsigned long size) {
  struct layout l = {upcr_thread_of(p.addr), p.addr & UPCR_OFFSET_MASK,
                     block == 0 ? 0 : p.phase % block, block, size};
  return l;
}

/* Address of element `i`, and how many of the elements from there on follow each other in memory.
 */
static upcr_addr_t element(const struct layout *l, unsigned long i, unsigned long *run) {
  if (l->block == 0) {
    *run = ~0ul;
    return upcr_segment(l->thread) + l->offset + i * l->size;
  }
  unsigned long index = l->phase + i;
  unsigned long number = index / l->block, within = index % l->block;
  unsigned long thread = (unsigned long)l->thread + number;
  unsigned long round = thread / (unsigned long)upcr_threads;
  *run = l->block - within;
  return upcr_segment((int)(thread % (unsigned long)upcr_threads)) + l->offset +
         (round * l->block + within - l->phase) * l->size;
}

/* The elements of `n` that have affinity to this thread: address of the first, and how many. */
static upcr_addr_t own_elements(const struct layout *l, unsigned long n, unsigned long *count) {
  *count = 0;
  if (n == 0) return 0;
  if (l->block == 0) {
    if (l->thread == upcr_mythread) *count = n;
    return upcr_segment(l->thread) + l->offset;
  }
  unsigned long threads = (unsigned long)upcr_threads;
  unsigned long blocks = (l->phase + n + l->block - 1) / l->block;
  unsigned long first =
      ((unsigned long)upcr_mythread + threads - (unsigned long)l->thread) % threads;
  if (first >= blocks) return 0;
  unsigned long last = first + (blocks - 1 - first) / threads * threads;
  /* Of the first and last block of all, only a part may belong to the array. */
  unsigned long begin = first == 0 ? l->phase : 0;
  unsigned long end = last == blocks - 1 ? l->phase + n - last * l->block : l->block;
  *count = (last - first) / threads * l->block + end - begin;
  unsigned long run;
  return element(l, first == 0 ? 0 : first * l->block - l->phase, &run);
}

static void check(upcr_pts p, const char *call, const char *which) {
  int thread = upcr_thread_of(p.addr);
  if (thread < 0 || thread >= upcr_threads)
    upcr_fatal("thread %d: the %s of %s is %s", upcr_mythread, which, call,
               p.addr == 0 ? "a null pointer" : "not a pointer to shared memory");
}

static void unknown_operator(const char *call, int op) __attribute__((noreturn));
static void unknown_operator(const char *call, int op) {
  upcr_fatal("thread %d: %s has no operator %d for this type of elements", upcr_mythread, call, op);
}

/* ---- Partial results ---- */

static struct upcr_partial *partial_of(int thread) {
  return &upcr_control->threads[thread].partials[upcr_collectives % UPCR_PARTIALS];
}

/* This thread's place for a partial result; waits until nobody needs what it held. */
static struct upcr_partial *own_partial(void) {
  uint32_t before = upcr_collectives - UPCR_PARTIALS;
  if (!upcr_reached(upcr_collectives_finished, before))
    for (int t = upcr_near_first(); t < upcr_near_end(); t++)
      upcr_flag_await(&upcr_control->threads[t].finished, before, UPCR_FOR_COLLECTIVE);
  return partial_of(upcr_mythread);
}

static struct upcr_partial *ready_partial(int thread) {
  struct upcr_partial *partial = partial_of(thread);
  upcr_flag_await(&partial->ready, upcr_collectives, UPCR_FOR_COLLECTIVE);
  return partial;
}

/* This thread's partial result is in place, for the thread `root`, or for all (UPCR_ALL). */
static void publish_partial(struct upcr_partial *mine, int root) {
  upcr_flag_set(&mine->ready, upcr_collectives);
#ifdef UPCR_MPI
  upcr_send_partials(root);
#else
  (void)root;
#endif
}

/* ---- Elements that may be on another node ---- */

#ifdef UPCR_MPI
#define PIECE 4096
/* `*run` elements at `at`, or fewer of them, to be read. */
static const void *readable(upcr_addr_t at, unsigned long *run, unsigned long size) {
  static char piece[PIECE] UPCR_ALIGNED;
  if (upcr_is_near(at)) return upcr_local(at);
  if (*run > PIECE / size) *run = PIECE / size;
  upcr_get_bytes(piece, at, *run * size);
  return piece;
}
/* Where to write `*run` elements, or fewer of them, that belong at `at`; written() comes after. */
static void *writable(upcr_addr_t at, unsigned long *run, unsigned long size) {
  static char piece[PIECE] UPCR_ALIGNED;
  if (upcr_is_near(at)) return upcr_local(at);
  if (*run > PIECE / size) *run = PIECE / size;
  return piece;
}
static void written(upcr_addr_t at, const void *piece, unsigned long bytes) {
  if (!upcr_is_near(at)) upcr_put_bytes(at, piece, bytes);
}
#else
static inline const void *readable(upcr_addr_t at, unsigned long *run, unsigned long size) {
  (void)run;
  (void)size;
  return upcr_local(at);
}
static inline void *writable(upcr_addr_t at, unsigned long *run, unsigned long size) {
  (void)run;
  (void)size;
  return upcr_local(at);
}
static inline void written(upcr_addr_t at, const void *piece, unsigned long bytes) {
  (void)at;
  (void)piece;
  (void)bytes;
}
#endif

/* This thread's range of `n` elements divided by index. */
static void range(unsigned long n, unsigned long *begin, unsigned long *end) {
  unsigned long threads = (unsigned long)upcr_threads, t = (unsigned long)upcr_mythread;
  unsigned long each = n / threads, rest = n % threads;
  *begin = t * each + (t < rest ? t : rest);
  *end = *begin + each + (t < rest);
}

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

#define TYPE signed char
#define NAME C
#include "reduce_type.h"
#define TYPE unsigned char
#define NAME UC
#include "reduce_type.h"
#define TYPE signed short
#define NAME S
#include "reduce_type.h"
#define TYPE unsigned short
#define NAME US
#include "reduce_type.h"
#define TYPE signed int
#define NAME I
#include "reduce_type.h"
#define TYPE unsigned int
#define NAME UI
#include "reduce_type.h"
#define TYPE signed long
#define NAME L
#include "reduce_type.h"
#define TYPE unsigned long
#define NAME UL
#include "reduce_type.h"

#define FLOATING
#define TYPE float
#define NAME F
#include "reduce_type.h"
#define TYPE double
#define NAME D
#include "reduce_type.h"
#define TYPE long double
#define NAME LD
#include "reduce_type.h"
