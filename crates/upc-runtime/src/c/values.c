/* Collectives on values (bupc_collectivev.h). Every thread has a place in shared memory for a
 * value; the threads write the values, meet in a barrier and read. There are two sets of places in
 * turn: whoever writes into one has passed the barrier after the other was written, so that all
 * have read the one. */
#include <stdlib.h>
#include <string.h>

#include "runtime.h"
#include "upcr_upc_types.h"

/* Offset of the places in every segment, of both sets, and the size of one. */
static upcr_pts places;
static unsigned long room;
static unsigned turn;

static void make_room(unsigned long size) {
  if (size <= room) return;
  upcr_pts before = places;
  while (room < size) room = room == 0 ? UPCR_LINE : 2 * room;
  places = upcr_make(
      upcr_publish(upcr_mythread == 0 ? upcr_heap_common(2 * room, "a bupc_allv_ operation") : 0),
      0);
  /* The last thread frees it. */
  if (before.addr != 0 && upcr_heap_is_last_to_free(before, "a bupc_allv_ operation"))
    upcr_heap_free(before, "a bupc_allv_ operation");
}

static void begin(unsigned long size) {
  make_room(size);
  turn ^= 1;
}

static upcr_addr_t place(int thread) {
  return upcr_segment(thread) + (places.addr & UPCR_OFFSET_MASK) + turn * room;
}

static void meet(void) { upcr_synchronize(UPCR_AT_VALUES, 0); }

static void check_thread(int thread, const char *call, const char *file, int line) {
  if (thread < 0 || thread >= upcr_threads)
    upcr_fatal("thread %d: %s%s with the thread %d, expected 0 to %d", upcr_mythread, call,
               upcr_at(file, line), thread, upcr_threads - 1);
}

/* ---- Moving ---- */

void upcr_allv_broadcast(void *value, unsigned long size, int root, const char *file, int line) {
  check_thread(root, "bupc_allv_broadcast", file, line);
  begin(size);
  if (root == upcr_mythread) upcr_put_bytes(place(root), value, size);
  meet();
  upcr_get_bytes(value, place(root), size);
}

void upcr_allv_scatter(void *value, unsigned long size, int root, const void *from,
                       const char *file, int line) {
  check_thread(root, "bupc_allv_scatter", file, line);
  begin(size);
  if (root == upcr_mythread)
    for (int t = 0; t < upcr_threads; t++)
      upcr_put_bytes(place(t), (const char *)from + (unsigned long)t * size, size);
  meet();
  upcr_get_bytes(value, place(upcr_mythread), size);
}

static void collect(void *to, unsigned long size) {
#ifdef UPCR_MPI
  upcr_get_from_all(to, place(0) & UPCR_OFFSET_MASK, size);
#else
  for (int t = 0; t < upcr_threads; t++)
    memcpy((char *)to + (unsigned long)t * size, upcr_local(place(t)), size);
#endif
}

void upcr_allv_gather(const void *value, unsigned long size, int root, void *to, const char *file,
                      int line) {
  check_thread(root, "bupc_allv_gather", file, line);
  begin(size);
  upcr_put_bytes(place(upcr_mythread), value, size);
  meet();
  if (root == upcr_mythread) collect(to, size);
}

void upcr_allv_gather_all(const void *value, unsigned long size, void *to, const char *file,
                          int line) {
  (void)file;
  (void)line;
  begin(size);
  upcr_put_bytes(place(upcr_mythread), value, size);
  meet();
  if (to != NULL) collect(to, size);
}

void upcr_allv_permute(void *value, unsigned long size, int to, const char *file, int line) {
  check_thread(to, "bupc_allv_permute", file, line);
  begin(size);
  upcr_put_bytes(place(to), value, size);
  meet();
  upcr_get_bytes(value, place(upcr_mythread), size);
}

/* ---- Combining ---- */

#ifdef UPCR_MPI
/* The values of all threads, fetched together. */
static char *values_of_all;
static void bring_values(unsigned long size) {
  values_of_all = malloc((unsigned long)upcr_threads * size);
  if (values_of_all == NULL) upcr_fatal("thread %d: no memory is left for values", upcr_mythread);
  collect(values_of_all, size);
}
static inline void get_value(void *to, int thread, unsigned long size) {
  memcpy(to, values_of_all + (unsigned long)thread * size, size);
}
static void drop_values(void) { free(values_of_all); }
#else
static inline void bring_values(unsigned long size) { (void)size; }
static inline void get_value(void *to, int thread, unsigned long size) {
  upcr_get_bytes(to, place(thread), size);
}
static inline void drop_values(void) {}
#endif

#define COMBINE_ANY(type)                  \
  case UPC_ADD: x = (type)(x + y); break;  \
  case UPC_MULT: x = (type)(x * y); break; \
  case UPC_LOGAND: x = x && y; break;      \
  case UPC_LOGOR: x = x || y; break;       \
  case UPC_MIN: x = x < y ? x : y; break;  \
  case UPC_MAX: x = x > y ? x : y; break;
#define COMBINE_BITS(type)                \
  COMBINE_ANY(type)                       \
  case UPC_AND: x = (type)(x & y); break; \
  case UPC_OR: x = (type)(x | y); break;  \
  case UPC_XOR: x = (type)(x ^ y); break;

/* Combines the values of the threads up to and with `last`; 0 if there is no such operation. */
#define COMBINER(name, type, cases)                   \
  static int name(void *value, int last, int op) {    \
    type x, y;                                        \
    get_value(&x, 0, sizeof x);                       \
    for (int t = 1; t <= last; t++) {                 \
      get_value(&y, t, sizeof y);                     \
      switch (op) { cases(type) default : return 0; } \
    }                                                 \
    memcpy(value, &x, sizeof x);                      \
    return 1;                                         \
  }
COMBINER(combine_u8, uint8_t, COMBINE_BITS)
COMBINER(combine_u16, uint16_t, COMBINE_BITS)
COMBINER(combine_u32, uint32_t, COMBINE_BITS)
COMBINER(combine_u64, uint64_t, COMBINE_BITS)
COMBINER(combine_i8, int8_t, COMBINE_BITS)
COMBINER(combine_i16, int16_t, COMBINE_BITS)
COMBINER(combine_i32, int32_t, COMBINE_BITS)
COMBINER(combine_i64, int64_t, COMBINE_BITS)
COMBINER(combine_float, float, COMBINE_ANY)
COMBINER(combine_double, double, COMBINE_ANY)
COMBINER(combine_long_double, long double, COMBINE_ANY)

typedef int (*combiner)(void *value, int last, int op);

/* By kind as in bupc_collectivev.h; null for a type that has no arithmetic here. */
static combiner combiner_of(unsigned long size, int kind) {
  static const combiner integers[2][4] = {{combine_u8, combine_u16, combine_u32, combine_u64},
                                          {combine_i8, combine_i16, combine_i32, combine_i64}};
  if (kind == 2)
    return size == sizeof(float)         ? combine_float
           : size == sizeof(double)      ? combine_double
           : size == sizeof(long double) ? combine_long_double
                                         : NULL;
  return size == 0 || size > 8 || (size & (size - 1)) != 0
             ? NULL
             : integers[kind == 1][__builtin_ctzl(size)];
}

static void reduce(void *value, unsigned long size, int kind, int op, int last, const char *call,
                   const char *file, int line) {
  combiner combine = combiner_of(size, kind);
  if (combine == NULL)
    upcr_fatal("thread %d: %s%s of a type of %lu bytes, which is no type of C's arithmetic",
               upcr_mythread, call, upcr_at(file, line), size);
  const int bits = UPC_AND | UPC_OR | UPC_XOR;
  const int others = UPC_ADD | UPC_MULT | UPC_LOGAND | UPC_LOGOR | UPC_MIN | UPC_MAX;
  if (op == 0 || (op & (op - 1)) != 0 || (op & (kind == 2 ? others : others | bits)) == 0)
    upcr_fatal("thread %d: %s%s has no operator %d for this type of values", upcr_mythread, call,
               upcr_at(file, line), op);
  begin(size);
  upcr_put_bytes(place(upcr_mythread), value, size);
  meet();
  if (last < 0) return;
  bring_values(size);
  combine(value, last, op);
  drop_values();
}

void upcr_allv_reduce(void *value, unsigned long size, int kind, int root, int op, const char *file,
                      int line) {
  check_thread(root, "bupc_allv_reduce", file, line);
  reduce(value, size, kind, op, root == upcr_mythread ? upcr_threads - 1 : -1, "bupc_allv_reduce",
         file, line);
}
void upcr_allv_reduce_all(void *value, unsigned long size, int kind, int op, const char *file,
                          int line) {
  reduce(value, size, kind, op, upcr_threads - 1, "bupc_allv_reduce_all", file, line);
}
void upcr_allv_prefix_reduce(void *value, unsigned long size, int kind, int op, const char *file,
                             int line) {
  reduce(value, size, kind, op, upcr_mythread, "bupc_allv_prefix_reduce", file, line);
}
