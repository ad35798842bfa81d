/* Relocalization collectives: each operation with every combination of flags, block sizes, places of the root, and
 * starting threads of the distributed areas, against a serial model. With MYSYNC and NOSYNC, threads come late. */
#include "test.h"

SHARED(from, 8 << 20);
SHARED(to, 8 << 20);
SHARED(perm, 64);
#define AREA (8ul << 20)

static const int in_flags[] = {0, UPC_IN_NOSYNC, UPC_IN_MYSYNC, UPC_IN_ALLSYNC};
static const int out_flags[] = {0, UPC_OUT_NOSYNC, UPC_OUT_MYSYNC, UPC_OUT_ALLSYNC};

/* Block i of a distributed area that begins at offset o of thread t. */
static unsigned char *block(upcr_addr_t base, int t, size_t o, int i, size_t bytes) {
  int thread = (t + i) % THREADS, round = (t + i) / THREADS;
  return (unsigned char *)(base + ((unsigned long)thread << UPCR_SHIFT) + o + (size_t)round * bytes);
}

static unsigned char value(int round, int kind, int i, int j, size_t k) {
  return (unsigned char)(round * 31 + kind * 17 + i * 7 + j * 3 + (int)(k % 251));
}
static void fill(unsigned char *p, size_t n, int round, int kind, int i, int j) {
  for (size_t k = 0; k < n; k++) p[k] = value(round, kind, i, j, k);
}
static void expect(unsigned char *p, size_t n, int round, int kind, int i, int j, const char *what, int flags) {
  for (size_t k = 0; k < n; k++)
    CHECK(p[k] == value(round, kind, i, j, k), "%s flags %d: block %d part %d byte %zu of %zu is %d", what, flags, i, j, k, n, p[k]);
}

static int mine(int t, int i) { return (t + i) % THREADS == MYTHREAD; }

/* Uneven work, so that threads come one after another. */
static void be_late(int round) {
  volatile int x = 0;
  for (int i = 0; i < (round * 7 + MYTHREAD * 13) % 5 * 300; i++) x += i;
}

/* Each thread prepares what has affinity to it; then the flags say whether all must have done so. */
#define RUN(prepare_own, call, check_own, name)                                                                  \
  for (int fi = 0; fi < 4; fi++)                                                                                 \
    for (int fo = 0; fo < 4; fo++) {                                                                             \
      int flags = in_flags[fi] | out_flags[fo];                                                                  \
      round++;                                                                                                   \
      be_late(round);                                                                                            \
      prepare_own;                                                                                               \
      if (in_flags[fi] == UPC_IN_NOSYNC) barrier();                                                              \
      be_late(round + 1);                                                                                        \
      call;                                                                                                      \
      if (out_flags[fo] == UPC_OUT_NOSYNC) barrier();                                                            \
      check_own;                                                                                                 \
      /* With MYSYNC a thread may change its own source now. */                                                  \
      if (out_flags[fo] == UPC_OUT_MYSYNC) memset((void *)(upcr_obj_from.addr + ((unsigned long)MYTHREAD << UPCR_SHIFT)), 0xee, 4096); \
      barrier();                                                                                                 \
    }

int upcr_user_main(int argc, char **argv) {
  int round = 0;
  static const size_t sizes[] = {1, 4, 24, 1000};
  for (int s = 0; s < 4; s++) {
    size_t n = sizes[s];
    for (int root = 0; root < THREADS; root += THREADS > 4 ? 3 : 1) {
      /* UPC wants distributed areas to begin on thread 0; other starts must not fail either. */
      int t = root % 2 == 0 ? 0 : THREADS - 1;
      size_t o = (size_t)root * 8;
      upcr_addr_t F = upcr_obj_from.addr, T = upcr_obj_to.addr;
      upcr_pts single_from = upcr_make(F + ((unsigned long)root << UPCR_SHIFT) + o, 0);
      upcr_pts single_to = upcr_make(T + ((unsigned long)root << UPCR_SHIFT) + o, 0);
      upcr_pts spread_from = upcr_make(F + ((unsigned long)t << UPCR_SHIFT) + o, (unsigned long)root);
      upcr_pts spread_to = upcr_make(T + ((unsigned long)t << UPCR_SHIFT) + o, 0);
      unsigned char *at_root_from = (unsigned char *)single_from.addr, *at_root_to = (unsigned char *)single_to.addr;

      RUN(if (MYTHREAD == root) fill(at_root_from, n, round, 0, 0, 0),
          upc_all_broadcast(spread_to, single_from, n, flags),
          for (int i = 0; i < THREADS; i++) if (mine(t, i)) expect(block(T, t, o, i, n), n, round, 0, 0, 0, "broadcast", flags), "")

      RUN(if (MYTHREAD == root) for (int i = 0; i < THREADS; i++) fill(at_root_from + (size_t)i * n, n, round, 1, i, 0),
          upc_all_scatter(spread_to, single_from, n, flags),
          for (int i = 0; i < THREADS; i++) if (mine(t, i)) expect(block(T, t, o, i, n), n, round, 1, i, 0, "scatter", flags), "")

      RUN(for (int i = 0; i < THREADS; i++) if (mine(t, i)) fill(block(F, t, o, i, n), n, round, 2, i, 0),
          upc_all_gather(single_to, spread_from, n, flags),
          if (MYTHREAD == root) for (int i = 0; i < THREADS; i++) expect(at_root_to + (size_t)i * n, n, round, 2, i, 0, "gather", flags), "")

      RUN(for (int i = 0; i < THREADS; i++) if (mine(t, i)) fill(block(F, t, o, i, n), n, round, 3, i, 0),
          upc_all_gather_all(spread_to, spread_from, n, flags),
          for (int i = 0; i < THREADS; i++) if (mine(t, i)) for (int j = 0; j < THREADS; j++)
            expect(block(T, t, o, i, n * (size_t)THREADS) + (size_t)j * n, n, round, 3, j, 0, "gather_all", flags), "")

      RUN(for (int i = 0; i < THREADS; i++) if (mine(t, i)) for (int j = 0; j < THREADS; j++)
            fill(block(F, t, o, i, n * (size_t)THREADS) + (size_t)j * n, n, round, 4, i, j),
          upc_all_exchange(spread_to, spread_from, n, flags),
          for (int i = 0; i < THREADS; i++) if (mine(t, i)) for (int j = 0; j < THREADS; j++)
            expect(block(T, t, o, i, n * (size_t)THREADS) + (size_t)j * n, n, round, 4, j, i, "exchange", flags), "")

      RUN(for (int i = 0; i < THREADS; i++) if (mine(t, i)) fill(block(F, t, o, i, n), n, round, 5, i, 0);
          *(int *)block(upcr_obj_perm.addr, 0, 0, MYTHREAD, 4) = (MYTHREAD * (THREADS % 2 ? 2 : 1) + round) % THREADS,
          upc_all_permute(spread_to, spread_from, BASE(perm), n, flags),
          for (int j = 0; j < THREADS; j++) {
            int i = (j * (THREADS % 2 ? 2 : 1) + round) % THREADS;
            if (mine(t, i)) expect(block(T, t, o, i, n), n, round, 5, j, 0, "permute", flags);
          }, "")
    }
  }
  OK();
  return 0;
}
