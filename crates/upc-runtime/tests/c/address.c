/* Element addresses and arithmetic on pointers-to-shared against the definition in the language. */
#include "test.h"

static long floor_div(long a, long b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
static long floor_mod(long a, long b) { return a - floor_div(a, b) * b; }

/* Element i of an array with blocks of b elements of e bytes that begins at offset `base` of thread 0. */
static upcr_addr_t model(unsigned long base, long i, long e, long b) {
  long block = floor_div(i, b), thread = floor_mod(block, THREADS), round = floor_div(block, THREADS);
  return UPCR_BASE + ((unsigned long)thread << UPCR_SHIFT) + base + (round * b + floor_mod(i, b)) * e;
}

static void check_blocked(long e, long b, long i, long n) {
  unsigned long base = 1ul << 34;
  upcr_addr_t array = UPCR_BASE + base;
  upcr_pts p = upcr_ptr_blocked(array, i, e, b);
  CHECK(p.addr == model(base, i, e, b) && p.addr == upcr_elem_blocked(array, i, e, b), "i %ld b %ld", i, b);
  CHECK((long)p.phase == floor_mod(i, b), "i %ld b %ld", i, b);
  upcr_pts q = upcr_add_blocked(p, n, e, b);
  CHECK(q.addr == model(base, i + n, e, b) && (long)q.phase == floor_mod(i + n, b), "i %ld n %ld e %ld b %ld", i, n, e, b);
  CHECK(upcr_sub_blocked(q, p, e, b) == n && upcr_sub_blocked(p, q, e, b) == -n, "i %ld n %ld e %ld b %ld", i, n, e, b);
}

static void check_cyclic(long e, long i, long n) {
  unsigned long base = 1ul << 34;
  upcr_addr_t array = UPCR_BASE + base;
  upcr_pts p = upcr_ptr_cyclic(array, i, e);
  CHECK(p.addr == model(base, i, e, 1) && p.phase == 0 && p.addr == upcr_elem_cyclic(array, i, e), "i %ld", i);
  upcr_pts q = upcr_add_cyclic(p, n, e);
  CHECK(q.addr == model(base, i + n, e, 1) && q.phase == 0, "i %ld n %ld e %ld", i, n, e);
  CHECK(upcr_sub_cyclic(q, p, e) == n, "i %ld n %ld e %ld", i, n, e);
  CHECK(upcr_equal(q, p) == (n == 0), "n %ld", n);
}

int upcr_user_main(int argc, char **argv) {
  static const long sizes[] = {1, 4, 8, 12, 100}, blocks[] = {1, 2, 3, 5, 64, 1000};
  for (int s = 0; s < 5; s++) {
    for (long i = -40; i < 60; i++)
      for (long n = -90; n < 90; n++) {
        check_cyclic(sizes[s], i, n);
        for (int b = 0; b < 6; b++) check_blocked(sizes[s], blocks[b], i, n);
        upcr_pts p = upcr_ptr_indef(1ul << 45, i, sizes[s]);
        CHECK(upcr_sub_indef(upcr_add_indef(p, n, sizes[s]), p, sizes[s]) == n, "n %ld", n);
      }
  }
  /* Constant sizes and blocks, as generated code has them. */
  unsigned long random = 88172645463325252ul;
  for (int k = 0; k < 200000; k++) {
    long i = (long)(next_random(&random) >> 36) - (1l << 27), n = (long)(next_random(&random) >> 36) - (1l << 27);
    check_cyclic(8, i, n);
    check_blocked(4, 7, i, n);
    check_blocked(4, 1024, i, n);
  }
  /* Division by the number of threads, over the whole range. */
  for (int k = 0; k < 200000; k++) {
    long i = (long)next_random(&random) >> (next_random(&random) & 63);
    upcr_division d = upcr_divide_by_threads(i);
    CHECK(d.quotient == floor_div(i, THREADS) && d.remainder == floor_mod(i, THREADS), "%ld", i);
  }
  static const long edges[] = {0, 1, -1, INT64_MAX, INT64_MIN, INT64_MAX - 1, INT64_MIN + 1};
  for (int k = 0; k < 7; k++) {
    upcr_division d = upcr_divide_by_threads(edges[k]);
    CHECK(d.quotient == floor_div(edges[k], THREADS) && d.remainder == floor_mod(edges[k], THREADS), "%ld", edges[k]);
  }
  upcr_pts null = upcr_null();
  CHECK(null.addr == 0 && null.phase == 0 && upc_threadof(null) == 0, "null");
  CHECK(upcr_thread_of(UPCR_BASE + (3ul << UPCR_SHIFT) + 5) == 3, "thread");
  upcr_pts five = upcr_make(UPCR_BASE + 5, 4);
  CHECK(upc_phaseof(five) == 4 && upc_phaseof(upc_resetphase(five)) == 0 && upc_addrfield(five) == 5, "queries");
  size_t total = 0;
  for (int t = 0; t < THREADS; t++) total += upc_affinitysize(1003, 10, (size_t)t);
  CHECK(total == 1003, "affinity sizes add up to %zu", total);
  CHECK(upc_affinitysize(50, 0, 0) == 50 && upc_affinitysize(50, 100, 0) == 50, "one block");
  CHECK(THREADS == 1 || upc_affinitysize(50, 0, 1) == 0, "one block");
  OK();
  return 0;
}
