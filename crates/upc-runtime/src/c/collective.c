/* The relocalization collectives of UPC 1.3, section 7.3.1. Every thread moves the data that it
 * gets (or, where one thread gets all, the data that it has), straight between the places, so that
 * only what the flags ask for is waited for: ALLSYNC is a barrier, MYSYNC waits for the threads
 * whose data is touched or which touch ours, NOSYNC is nothing. */
#include <string.h>

#include "collective.h"

/* ---- Synchronisation ---- */

/* Flags of single threads are seen on one node only: of several nodes, all wait for all. */
static int sees_all(void) { return upcr_near_end() - upcr_near_first() == upcr_threads; }

static int in_mysync(int flags) {
  return sees_all() && (flags & (UPC_IN_ALLSYNC | UPC_IN_MYSYNC)) == UPC_IN_MYSYNC;
}
static int out_mysync(int flags) {
  return sees_all() && (flags & (UPC_OUT_ALLSYNC | UPC_OUT_MYSYNC)) == UPC_OUT_MYSYNC;
}
/* Without any of the three flags it is ALLSYNC. */
static int in_allsync(int flags) {
  int others = sees_all() ? UPC_IN_NOSYNC | UPC_IN_MYSYNC : UPC_IN_NOSYNC;
  return (flags & UPC_IN_ALLSYNC) != 0 || (flags & others) == 0;
}
static int out_allsync(int flags) {
  int others = sees_all() ? UPC_OUT_NOSYNC | UPC_OUT_MYSYNC : UPC_OUT_NOSYNC;
  return (flags & UPC_OUT_ALLSYNC) != 0 || (flags & others) == 0;
}

static void await_all(size_t which) {
  for (int i = 1; i < upcr_threads; i++) {
    int thread =
        upcr_mythread + i < upcr_threads ? upcr_mythread + i : upcr_mythread + i - upcr_threads;
    upcr_flag_await((struct upcr_flag *)((char *)&upcr_control->threads[thread] + which),
                    upcr_collectives, UPCR_FOR_COLLECTIVE);
  }
}

/* Partial results are kept for some collectives: no thread may be further ahead of another one. */
static void stay_in_reach(enum upcr_kind kind, int flags) {
  static int since_meeting;
  if (in_allsync(flags)) since_meeting = 0;
  else if (!sees_all() && ++since_meeting == UPCR_PARTIALS) {
    upcr_synchronize(kind, 0);
    since_meeting = 0;
  }
}

void upcr_collective_begin(enum upcr_kind kind, int flags, int touched) {
  if (in_allsync(flags)) upcr_synchronize(kind, 0);
  stay_in_reach(kind, flags);
  upcr_collectives++;
  if (!in_mysync(flags)) return;
  upcr_flag_set(&upcr_control->threads[upcr_mythread].entered, upcr_collectives);
  if (touched == UPCR_ALL) await_all(offsetof(struct upcr_thread, entered));
  else if (touched != UPCR_NOBODY && touched != upcr_mythread)
    upcr_flag_await(&upcr_control->threads[touched].entered, upcr_collectives, UPCR_FOR_COLLECTIVE);
}

void upcr_collective_end(enum upcr_kind kind, int flags, int touched_by) {
  if (out_allsync(flags)) {
    upcr_synchronize(kind, 0);
    return;
  }
  /* Also without MYSYNC: partial results are kept until everybody has finished (reduce.c). */
  upcr_flag_set(&upcr_control->threads[upcr_mythread].finished, upcr_collectives);
  if (out_mysync(flags) && (touched_by == UPCR_ALL || touched_by == upcr_mythread))
    await_all(offsetof(struct upcr_thread, finished));
}

/* ---- Places ---- */

/* Block `i` of a distributed area that begins at `p`: one block of `bytes` per thread and round. */
static upcr_addr_t block(upcr_pts p, int i, unsigned long bytes) {
  int thread = upcr_thread_of(p.addr) + i;
  unsigned long round = 0;
  if (thread >= upcr_threads) {
    thread -= upcr_threads;
    round = 1;
  }
  return upcr_segment(thread) + (p.addr & UPCR_OFFSET_MASK) + round * bytes;
}

/* The numbers of a thread's block, and of this thread's. */
static int block_of_thread(upcr_pts p, int thread) {
  int i = thread - upcr_thread_of(p.addr);
  return i < 0 ? i + upcr_threads : i;
}
static int own_block(upcr_pts p) { return block_of_thread(p, upcr_mythread); }

static int thread_of_block(upcr_pts p, int i) {
  return (upcr_thread_of(p.addr) + i) % upcr_threads;
}

/* Source and destination may be the same block. */
static void copy(upcr_addr_t to, upcr_addr_t from, unsigned long bytes) {
  if (to != from) upcr_copy_bytes(to, from, bytes);
}

#ifdef UPCR_MPI
static void bring(upcr_addr_t to, upcr_addr_t from, unsigned long bytes) {
  if (to != from) upcr_overlapping_get(upcr_local(to), from, bytes);
}
static void all_is_here(void) { upcr_overlapping_end(); }

/* The threads of a node divide the blocks of other nodes among them: each fetches some for all. */
static int is_brought_here(int thread) {
  int near = upcr_near_end() - upcr_near_first();
  return upcr_is_near(upcr_segment(thread)) || thread % near == upcr_mythread - upcr_near_first();
}
#else
/* Begins to fetch a block; all_is_here() waits for all blocks. */
static inline void bring(upcr_addr_t to, upcr_addr_t from, unsigned long bytes) {
  copy(to, from, bytes);
}
static inline void all_is_here(void) {}
static inline int is_brought_here(int thread) {
  (void)thread;
  return 1;
}
#endif

/* A null or foreign pointer would be a crash far from its cause. */
static void check(upcr_pts p, const char *call, const char *which) {
  int thread = upcr_thread_of(p.addr);
  if (thread < 0 || thread >= upcr_threads)
    upcr_fatal("thread %d: the %s of %s is %s", upcr_mythread, which, call,
               p.addr == 0 ? "a null pointer" : "not a pointer to shared memory");
}
#define CHECK(call)               \
  check(to, call, "destination"); \
  check(from, call, "source")

/* ---- Operations ---- */

UPCR_LIBRARY void upc_all_broadcast(upcr_pts to, upcr_pts from, unsigned long bytes, int flags) {
  CHECK("upc_all_broadcast");
  int root = upcr_thread_of(from.addr);
  upcr_collective_begin(UPCR_AT_BROADCAST, flags, root);
#ifdef UPCR_MPI
  if (!sees_all() && bytes != 0) upcr_share_broadcast(to, from.addr, bytes);
  else
#endif
    copy(block(to, own_block(to), bytes), from.addr, bytes);
  upcr_collective_end(UPCR_AT_BROADCAST, flags, root);
}

UPCR_LIBRARY void upc_all_scatter(upcr_pts to, upcr_pts from, unsigned long bytes, int flags) {
  CHECK("upc_all_scatter");
  int root = upcr_thread_of(from.addr), own = own_block(to);
  upcr_collective_begin(UPCR_AT_SCATTER, flags, root);
  copy(block(to, own, bytes), from.addr + (unsigned long)own * bytes, bytes);
  upcr_collective_end(UPCR_AT_SCATTER, flags, root);
}

UPCR_LIBRARY void upc_all_gather(upcr_pts to, upcr_pts from, unsigned long bytes, int flags) {
  CHECK("upc_all_gather");
  int root = upcr_thread_of(to.addr), own = own_block(from);
  upcr_collective_begin(UPCR_AT_GATHER, flags, root);
  copy(to.addr + (unsigned long)own * bytes, block(from, own, bytes), bytes);
  upcr_collective_end(UPCR_AT_GATHER, flags, root);
}

/* Copies the blocks that this thread fetched for its node to the node's other threads. */
static void share_gathered(upcr_pts to, upcr_pts from, unsigned long bytes) {
#ifdef UPCR_MPI
  unsigned long row = (unsigned long)upcr_threads * bytes;
  const char *mine = upcr_local(block(to, own_block(to), row));
  for (int i = 0; i < upcr_threads; i++) {
    int thread = thread_of_block(from, i);
    unsigned long at = (unsigned long)i * bytes;
    if (upcr_is_near(upcr_segment(thread)) || !is_brought_here(thread)) continue;
    for (int t = upcr_near_first(); t < upcr_near_end(); t++) {
      char *theirs = upcr_local(block(to, block_of_thread(to, t), row));
      if (theirs != mine) memcpy(theirs + at, mine + at, bytes);
    }
  }
#else
  (void)to;
  (void)from;
  (void)bytes;
#endif
}

UPCR_LIBRARY void upc_all_gather_all(upcr_pts to, upcr_pts from, unsigned long bytes, int flags) {
  CHECK("upc_all_gather_all");
  unsigned long threads = (unsigned long)upcr_threads;
  upcr_collective_begin(UPCR_AT_GATHER_ALL, flags, UPCR_ALL);
  upcr_addr_t mine = block(to, own_block(to), threads * bytes);
  /* Each begins with its own block, so that they do not all read from one thread at a time. */
  for (int k = 0; k < upcr_threads; k++) {
    int i = (own_block(from) + k) % upcr_threads;
    if (is_brought_here(thread_of_block(from, i)))
      bring(mine + (unsigned long)i * bytes, block(from, i, bytes), bytes);
  }
  all_is_here();
  share_gathered(to, from, bytes);
  upcr_collective_end(UPCR_AT_GATHER_ALL, flags, UPCR_ALL);
}

UPCR_LIBRARY void upc_all_exchange(upcr_pts to, upcr_pts from, unsigned long bytes, int flags) {
  CHECK("upc_all_exchange");
  unsigned long row = (unsigned long)upcr_threads * bytes;
  upcr_collective_begin(UPCR_AT_EXCHANGE, flags, UPCR_ALL);
  int own = own_block(to);
  upcr_addr_t mine = block(to, own, row);
  for (int k = 0; k < upcr_threads; k++) {
    int i = (own + k) % upcr_threads;
    bring(mine + (unsigned long)i * bytes, block(from, i, row) + (unsigned long)own * bytes, bytes);
  }
  all_is_here();
  upcr_collective_end(UPCR_AT_EXCHANGE, flags, UPCR_ALL);
}

UPCR_LIBRARY void upc_all_permute(upcr_pts to, upcr_pts from, upcr_pts perm, unsigned long bytes,
                                  int flags) {
  CHECK("upc_all_permute");
  check(perm, "upc_all_permute", "permutation");
  int own = own_block(from);
  upcr_addr_t target = block(perm, own, sizeof(int));
  /* Where an own block goes is only known after the entry of the thread that has it in the
   * permutation. */
  int owner = thread_of_block(perm, own);
  upcr_collective_begin(UPCR_AT_PERMUTE, flags, owner);
  int i;
  upcr_get_bytes(&i, target, sizeof i);
  if (i < 0 || i >= upcr_threads)
    upcr_fatal(
        "thread %d: the permutation of upc_all_permute has %d for thread %d, expected 0 to %d",
        upcr_mythread, i, own, upcr_threads - 1);
  if (in_mysync(flags)) {
    int receiver = thread_of_block(to, i);
    if (receiver != upcr_mythread)
      upcr_flag_await(&upcr_control->threads[receiver].entered, upcr_collectives,
                      UPCR_FOR_COLLECTIVE);
  }
  copy(block(to, i, bytes), block(from, own, bytes), bytes);
  /* The thread that writes to us is named in an element that its owner may change after leaving:
   * wait for all. */
  upcr_collective_end(UPCR_AT_PERMUTE, flags, UPCR_ALL);
}
