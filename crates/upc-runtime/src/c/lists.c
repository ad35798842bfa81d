/* Copies between several places at once (bupc_async.h): lists of pieces, lists of addresses of
 * pieces of one length, pieces at a constant distance, and sections of arrays of several
 * dimensions. The pieces of both sides may be cut differently; only their sum must be the same. */
#include <string.h>

#include "lists.h"

struct upcr_transfer;

/* One side of a copy: the pieces to come. */
struct side {
  enum { PRIVATE_PIECES, SHARED_PIECES, PRIVATE_ADDRESSES, SHARED_ADDRESSES, STEPS } kind;
  const void *list;
  char *first; /* of STEPS */
  unsigned long stride;
  unsigned long bytes; /* of each piece, except of lists of pieces */
  unsigned long count;
  unsigned long next;
};

/* The next piece, which may be empty; 0 if there is none. */
static int piece(struct side *s, char **at, unsigned long *bytes) {
  if (s->next >= s->count) return 0;
  unsigned long i = s->next++;
  *bytes = s->bytes;
  switch (s->kind) {
    case PRIVATE_PIECES:
      *at = ((const struct upcr_private_piece *)s->list)[i].addr;
      *bytes = ((const struct upcr_private_piece *)s->list)[i].bytes;
      break;
    case SHARED_PIECES:
      *at = upcr_local(((const struct upcr_shared_piece *)s->list)[i].addr.addr);
      *bytes = ((const struct upcr_shared_piece *)s->list)[i].bytes;
      break;
    case PRIVATE_ADDRESSES: *at = ((void *const *)s->list)[i]; break;
    case SHARED_ADDRESSES: *at = upcr_local(((const upcr_pts *)s->list)[i].addr); break;
    case STEPS: *at = s->first + i * s->stride; break;
  }
  return 1;
}

static void copy(struct side to, struct side from, const char *call) {
  char *target = NULL, *source = NULL;
  unsigned long room = 0, rest = 0;
  for (;;) {
    int more_room = 1, more = 1;
    while (room == 0 && (more_room = piece(&to, &target, &room))) {
    }
    while (rest == 0 && (more = piece(&from, &source, &rest))) {
    }
    if (!more_room || !more) {
      if (more_room || more)
        upcr_fatal("thread %d: %s with more bytes at its %s than at its %s: the sums must be equal",
                   upcr_mythread, call, more_room ? "destination" : "source",
                   more_room ? "source" : "destination");
      return;
    }
    unsigned long n = room < rest ? room : rest;
    upcr_move_bytes(target, source, n);
    target += n;
    source += n;
    room -= n;
    rest -= n;
  }
}

/* ---- Entry points: each also in a form that returns a handle, of a transfer that is complete ----
 */

#define BOTH(name, parameters, action)                         \
  UPCR_LIBRARY void name parameters { action; }                \
  UPCR_LIBRARY struct upcr_transfer *name##_async parameters { \
    action;                                                    \
    return NULL;                                               \
  }

#define PIECES(name, to_kind, from_kind)                                                           \
  BOTH(name, (unsigned long to_count, const void *to, unsigned long from_count, const void *from), \
       copy((struct side){.kind = to_kind, .list = to, .count = to_count},                         \
            (struct side){.kind = from_kind, .list = from, .count = from_count}, #name))
PIECES(bupc_memcpy_vlist, SHARED_PIECES, SHARED_PIECES)
PIECES(bupc_memput_vlist, SHARED_PIECES, PRIVATE_PIECES)
PIECES(bupc_memget_vlist, PRIVATE_PIECES, SHARED_PIECES)

#define ADDRESSES(name, to_kind, from_kind)                                                       \
  BOTH(name,                                                                                      \
       (unsigned long to_count, const void *to, unsigned long to_bytes, unsigned long from_count, \
        const void *from, unsigned long from_bytes),                                              \
       copy((struct side){.kind = to_kind, .list = to, .count = to_count, .bytes = to_bytes},     \
            (struct side){                                                                        \
                .kind = from_kind, .list = from, .count = from_count, .bytes = from_bytes},       \
            #name))
ADDRESSES(bupc_memcpy_ilist, SHARED_ADDRESSES, SHARED_ADDRESSES)
ADDRESSES(bupc_memput_ilist, SHARED_ADDRESSES, PRIVATE_ADDRESSES)
ADDRESSES(bupc_memget_ilist, PRIVATE_ADDRESSES, SHARED_ADDRESSES)

static char *of_private(const void *p) { return (char *)p; }
static char *of_shared(upcr_pts p) { return upcr_local(p.addr); }

#define STEPWISE(name, to_type, of_to, from_type, of_from)                                   \
  BOTH(name,                                                                                 \
       (to_type to, unsigned long to_bytes, unsigned long to_stride, unsigned long to_count, \
        from_type from, unsigned long from_bytes, unsigned long from_stride,                 \
        unsigned long from_count),                                                           \
       copy((struct side){.kind = STEPS,                                                     \
                          .first = of_to(to),                                                \
                          .stride = to_stride,                                               \
                          .count = to_count,                                                 \
                          .bytes = to_bytes},                                                \
            (struct side){.kind = STEPS,                                                     \
                          .first = of_from(from),                                            \
                          .stride = from_stride,                                             \
                          .count = from_count,                                               \
                          .bytes = from_bytes},                                              \
            #name))
STEPWISE(bupc_memcpy_fstrided, upcr_pts, of_shared, upcr_pts, of_shared)
STEPWISE(bupc_memput_fstrided, upcr_pts, of_shared, const void *, of_private)
STEPWISE(bupc_memget_fstrided, void *, of_private, upcr_pts, of_shared)

/* ---- Sections: `count[0]` bytes lie side by side; level i repeats what is below `count[i + 1]`
 * times ---- */

static void section(char *to, const unsigned long *to_strides, const char *from,
                    const unsigned long *from_strides, const unsigned long *count,
                    unsigned long levels) {
  if (levels == 0) {
    upcr_move_bytes(to, from, count[0]);
    return;
  }
  for (unsigned long i = 0; i < count[levels]; i++)
    section(to + i * to_strides[levels - 1], to_strides, from + i * from_strides[levels - 1],
            from_strides, count, levels - 1);
}

#define SECTION(name, to_type, of_to, from_type, of_from)                                     \
  BOTH(name,                                                                                  \
       (to_type to, const unsigned long *to_strides, from_type from,                          \
        const unsigned long *from_strides, const unsigned long *count, unsigned long levels), \
       section(of_to(to), to_strides, of_from(from), from_strides, count, levels))
SECTION(bupc_memcpy_strided, upcr_pts, of_shared, upcr_pts, of_shared)
SECTION(bupc_memput_strided, upcr_pts, of_shared, const void *, of_private)
SECTION(bupc_memget_strided, void *, of_private, upcr_pts, of_shared)
