/* Header of every program of the embedded UPC compiler: addresses of shared data, arithmetic on
 * pointers-to-shared, and the entry points of the runtime that generated code calls.
 * Plain C with GNU extensions. It includes nothing but parts of itself, and every name in it begins
 * with upcr_ or UPCR_, also those of parameters, because a macro of the program's command line may
 * have any other name. LOWERING.md says how the compiler uses it. */
#ifndef UPCR_H
#define UPCR_H

#define UPCR_SHIFT 36
#define UPCR_FIRST 256 /* UPCR_BASE >> UPCR_SHIFT */
#define UPCR_BASE (1ul << 44)
#define UPCR_OFFSET_MASK ((1ul << UPCR_SHIFT) - 1)
#define UPCR_INLINE \
  static __inline__ \
      __attribute__((__always_inline__, __artificial__, __unused__, __no_instrument_function__))

/* Which C compiler this is, and which C, for the UPC compiler and its driver: they look for these
 * very texts. */
#ifdef __GNUC__
enum { upcr_gnuc = __GNUC__ };
#endif
#ifdef __STRICT_ANSI__
enum { upcr_ansi = 1 };
#endif
#if !defined(__STDC_VERSION__) || __STDC_VERSION__ < 199901L
enum { upcr_before_c99 = 1 };
#elif __STDC_VERSION__ > 201710L && (__GNUC__ >= 13 || __clang_major__ >= 15)
enum { upcr_c23 = 1 };
#endif
#if defined __has_attribute
#if __has_attribute(__retain__)
enum { upcr_retains = 1 };
#endif
#endif

/* A virtual address in the shared mapping, the same in every thread. */
typedef unsigned long upcr_addr_t;
/* A pointer-to-shared. The phase counts elements; it stays 0 for block sizes 1 and 0 (indefinite).
 */
typedef struct {
  upcr_addr_t addr;
  unsigned long phase;
} upcr_pts;

/* A shared object with static storage duration. The compiler writes all but `addr`, which the
 * runtime sets. */
struct upcr_object {
  upcr_addr_t addr;
  unsigned long local_bytes; /* in one thread's segment */
  unsigned long elem_bytes;
  unsigned long block; /* elements, 0 for indefinite */
  unsigned long elements;
  int per_thread; /* whether `elements` counts those of one thread */
  int line;
  const char *name;
  const char *file;
};

/* The first value of a shared object: an array of its ultimate elements in their order. Where
 * THREADS is a factor of an inner dimension, that dimension has `bound` elements in `value`, and
 * `factor` times the number of threads in the object; each of these has `inner` ultimate elements.
 * Else `bound` is 0. */
struct upcr_value {
  const struct upcr_object *object;
  const void *value;
  unsigned long bytes;
  unsigned long bound;
  unsigned long factor;
  unsigned long inner;
};

extern const int upcr_mythread;
extern const int upcr_threads;
extern int upcr_forall_depth;

/* For a division by the number of threads without dividing: whether it is a power of two; its
 * logarithm to base 2 and the reciprocal 2^(62 + shift) / threads, both rounded up, which is exact
 * for numbers below 2^61; and the reciprocal 2^(63 + shift) / threads, rounded up, which is exact
 * for all but only there if it is no power of two. */
extern const int upcr_threads_power;
extern const int upcr_threads_shift;
extern const unsigned long upcr_threads_reciprocal;
extern const unsigned long upcr_threads_full_reciprocal;

#ifdef UPCR_STATIC_THREADS
#define UPCR_THREADS ((long)(UPCR_STATIC_THREADS))
#else
#define UPCR_THREADS ((long)upcr_threads)
#endif

/* Quotient, rounded down, and remainder, never negative. */
typedef struct {
  long quotient;
  long remainder;
} upcr_division;

UPCR_INLINE upcr_division upcr_divide(long upcr_i, long upcr_d) {
  upcr_division upcr_r;
  if ((upcr_d & (upcr_d - 1)) == 0 && __builtin_constant_p(upcr_d)) {
    upcr_r.remainder = upcr_i & (upcr_d - 1);
    upcr_r.quotient = upcr_i >> __builtin_ctzl((unsigned long)upcr_d);
  } else {
    upcr_r.quotient = upcr_i / upcr_d;
    upcr_r.remainder = upcr_i - upcr_r.quotient * upcr_d;
    if (upcr_r.remainder < 0) {
      upcr_r.remainder += upcr_d;
      upcr_r.quotient--;
    }
  }
  return upcr_r;
}

#ifdef UPCR_STATIC_THREADS
UPCR_INLINE upcr_division upcr_divide_by_threads(long upcr_i) {
  return upcr_divide(upcr_i, UPCR_THREADS);
}
#define UPCR_DIVIDE_STEADY upcr_divide_by_threads
#else
/* Without a branch, so that C compilers move the whole out of loops in which the dividend stays the
 * same; for numbers of elements, which are below 2^61. */
UPCR_INLINE upcr_division upcr_divide_steady(long upcr_i) {
  upcr_division upcr_r;
  /* floor(i / d) is ~(~i / d) for negative i. */
  long upcr_sign = upcr_i >> 63;
  unsigned long upcr_u = (unsigned long)(upcr_i ^ upcr_sign);
  unsigned long upcr_q =
      (unsigned long)(((unsigned __int128)(upcr_u << 2) * upcr_threads_reciprocal) >> 64) >>
      upcr_threads_shift;
  upcr_r.quotient = (long)upcr_q ^ upcr_sign;
  upcr_r.remainder = upcr_i - upcr_r.quotient * UPCR_THREADS;
  return upcr_r;
}
#define UPCR_DIVIDE_STEADY upcr_divide_steady

/* The branch is predicted, and costs less than the multiplication. */
UPCR_INLINE upcr_division upcr_divide_by_threads(long upcr_i) {
  upcr_division upcr_r;
  if (upcr_threads_power) {
    upcr_r.quotient = upcr_i >> upcr_threads_shift;
    upcr_r.remainder = upcr_i & (UPCR_THREADS - 1);
  } else {
    long upcr_sign = upcr_i >> 63;
    unsigned long upcr_u = (unsigned long)(upcr_i ^ upcr_sign);
    unsigned long upcr_q =
        (unsigned long)(((unsigned __int128)upcr_u * upcr_threads_full_reciprocal) >> 64) >>
        (upcr_threads_shift - 1);
    upcr_r.quotient = (long)upcr_q ^ upcr_sign;
    upcr_r.remainder = upcr_i - upcr_r.quotient * UPCR_THREADS;
  }
  return upcr_r;
}
#endif

/* ---- Making and taking apart ---- */

UPCR_INLINE upcr_pts upcr_make(upcr_addr_t upcr_a, unsigned long upcr_phase) {
  upcr_pts upcr_r;
  upcr_r.addr = upcr_a;
  upcr_r.phase = upcr_phase;
  return upcr_r;
}
UPCR_INLINE upcr_pts upcr_null(void) { return upcr_make(0, 0); }
UPCR_INLINE upcr_pts upcr_reset_phase(upcr_pts upcr_p) { return upcr_make(upcr_p.addr, 0); }
UPCR_INLINE int upcr_equal(upcr_pts upcr_p, upcr_pts upcr_q) { return upcr_p.addr == upcr_q.addr; }
UPCR_INLINE int upcr_thread_of(upcr_addr_t upcr_a) {
  return (int)(upcr_a >> UPCR_SHIFT) - UPCR_FIRST;
}

#ifdef UPCR_MPI
#include "pgas_upcr_far.h"
#endif

/* ---- Element `i` of an array object that begins at `base` on thread 0 ---- */

UPCR_INLINE upcr_addr_t upcr_elem_indef(upcr_addr_t upcr_base, long upcr_i, unsigned long upcr_e) {
  return upcr_base + (unsigned long)upcr_i * upcr_e;
}

UPCR_INLINE upcr_addr_t upcr_elem_cyclic(upcr_addr_t upcr_base, long upcr_i, unsigned long upcr_e) {
  upcr_division upcr_t = upcr_divide_by_threads(upcr_i);
  return upcr_base + ((unsigned long)upcr_t.remainder << UPCR_SHIFT) +
         (unsigned long)upcr_t.quotient * upcr_e;
}

UPCR_INLINE upcr_addr_t upcr_elem_blocked(upcr_addr_t upcr_base, long upcr_i, unsigned long upcr_e,
                                          long upcr_b) {
  upcr_division upcr_k = upcr_divide(upcr_i, upcr_b);
  upcr_division upcr_t = upcr_divide_by_threads(upcr_k.quotient);
  return upcr_base + ((unsigned long)upcr_t.remainder << UPCR_SHIFT) +
         (unsigned long)(upcr_t.quotient * upcr_b + upcr_k.remainder) * upcr_e;
}

/* The same, in the runtime, where another copy is not worth its size. */
extern upcr_addr_t upcr_far_elem_cyclic(upcr_addr_t upcr_base, long upcr_i, unsigned long upcr_e);
extern upcr_addr_t upcr_far_elem_blocked(upcr_addr_t upcr_base, long upcr_i, unsigned long upcr_e,
                                         long upcr_b);

/* The element with index rows * THREADS * B + blocks * B + rest. */
UPCR_INLINE upcr_addr_t upcr_elem_split(upcr_addr_t upcr_base, long upcr_rows, long upcr_blocks,
                                        long upcr_rest, unsigned long upcr_e, long upcr_b) {
  upcr_division upcr_k = upcr_divide(upcr_rest, upcr_b);
  upcr_division upcr_t = UPCR_DIVIDE_STEADY(upcr_blocks + upcr_k.quotient);
  return upcr_base + ((unsigned long)upcr_t.remainder << UPCR_SHIFT) +
         (unsigned long)((upcr_rows + upcr_t.quotient) * upcr_b + upcr_k.remainder) * upcr_e;
}

/* The first element of an own block; `e` is the size of a block. */
UPCR_INLINE upcr_addr_t upcr_elem_mine(upcr_addr_t upcr_base, long upcr_rows,
                                       unsigned long upcr_e) {
  return upcr_base + ((unsigned long)upcr_mythread << UPCR_SHIFT) +
         (unsigned long)upcr_rows * upcr_e;
}

/* Block that an access fell into the last time: its first index, and the address where
 * the element with index 0 would be if it were in one piece with the block. With a pointer, indices
 * count from there. */
typedef struct {
  long first;
  upcr_addr_t addr;
  upcr_addr_t from;
  unsigned long phase;
} upcr_run;

/* A block: its first index and the address as above. */
typedef struct {
  long first;
  upcr_addr_t addr;
} upcr_visit;

extern upcr_visit upcr_visit_elem(upcr_addr_t upcr_base, long upcr_i, unsigned long upcr_e,
                                  long upcr_b);

UPCR_INLINE upcr_addr_t upcr_run_elem(upcr_run *upcr_r, upcr_addr_t upcr_base, long upcr_i,
                                      unsigned long upcr_e, long upcr_b) {
  if (__builtin_expect((unsigned long)(upcr_i - upcr_r->first) >= (unsigned long)upcr_b, 0)) {
    upcr_visit upcr_v = upcr_visit_elem(upcr_base, upcr_i, upcr_e, upcr_b);
    upcr_r->first = upcr_v.first;
    upcr_r->addr = upcr_v.addr;
  }
  return upcr_r->addr + (unsigned long)upcr_i * upcr_e;
}

/* For an access to a cyclic array that goes on by `rows` times THREADS elements: `first` is the
 * index of the last one, `addr` its address. */
UPCR_INLINE upcr_addr_t upcr_walk_cyclic(upcr_run *upcr_r, upcr_addr_t upcr_base, long upcr_i,
                                         unsigned long upcr_e, long upcr_rows) {
  long upcr_by = upcr_i - upcr_r->first;
  if (__builtin_expect(upcr_by == upcr_rows * UPCR_THREADS, 1)) {
    upcr_r->addr += (unsigned long)upcr_rows * upcr_e;
    upcr_r->first = upcr_i;
  } else if (upcr_by != 0) {
    upcr_r->addr = upcr_far_elem_cyclic(upcr_base, upcr_i, upcr_e);
    upcr_r->first = upcr_i;
  }
  return upcr_r->addr;
}

UPCR_INLINE upcr_pts upcr_ptr_indef(upcr_addr_t upcr_base, long upcr_i, unsigned long upcr_e) {
  return upcr_make(upcr_elem_indef(upcr_base, upcr_i, upcr_e), 0);
}
UPCR_INLINE upcr_pts upcr_ptr_cyclic(upcr_addr_t upcr_base, long upcr_i, unsigned long upcr_e) {
  return upcr_make(upcr_elem_cyclic(upcr_base, upcr_i, upcr_e), 0);
}
UPCR_INLINE upcr_pts upcr_ptr_blocked(upcr_addr_t upcr_base, long upcr_i, unsigned long upcr_e,
                                      long upcr_b) {
  return upcr_make(upcr_elem_blocked(upcr_base, upcr_i, upcr_e, upcr_b),
                   (unsigned long)upcr_divide(upcr_i, upcr_b).remainder);
}

/* ---- p + n ---- */

UPCR_INLINE upcr_pts upcr_add_indef(upcr_pts upcr_p, long upcr_n, unsigned long upcr_e) {
  return upcr_make(upcr_p.addr + (unsigned long)upcr_n * upcr_e, 0);
}

/* After a step to the next or the previous thread: the same, or from the last thread to the first
 * and on by `e`. */
UPCR_INLINE upcr_addr_t upcr_wrap_up(upcr_addr_t upcr_a, unsigned long upcr_e) {
  return upcr_a < UPCR_BASE + ((unsigned long)UPCR_THREADS << UPCR_SHIFT)
             ? upcr_a
             : upcr_a + upcr_e - ((unsigned long)UPCR_THREADS << UPCR_SHIFT);
}
UPCR_INLINE upcr_addr_t upcr_wrap_down(upcr_addr_t upcr_a, unsigned long upcr_e) {
  return upcr_a >= UPCR_BASE ? upcr_a
                             : upcr_a - upcr_e + ((unsigned long)UPCR_THREADS << UPCR_SHIFT);
}

UPCR_INLINE upcr_pts upcr_add_cyclic(upcr_pts upcr_p, long upcr_n, unsigned long upcr_e) {
  if (__builtin_constant_p(upcr_n) && upcr_n == 1)
    return upcr_make(upcr_wrap_up(upcr_p.addr + (1ul << UPCR_SHIFT), upcr_e), 0);
  if (__builtin_constant_p(upcr_n) && upcr_n == -1)
    return upcr_make(upcr_wrap_down(upcr_p.addr - (1ul << UPCR_SHIFT), upcr_e), 0);
  long upcr_t = upcr_thread_of(upcr_p.addr);
  upcr_division upcr_d = upcr_divide_by_threads(upcr_t + upcr_n);
  return upcr_make(upcr_p.addr + ((unsigned long)(upcr_d.remainder - upcr_t) << UPCR_SHIFT) +
                       (unsigned long)upcr_d.quotient * upcr_e,
                   0);
}

UPCR_INLINE upcr_pts upcr_add_blocked(upcr_pts upcr_p, long upcr_n, unsigned long upcr_e,
                                      long upcr_b) {
  if (__builtin_constant_p(upcr_n) && upcr_n == 1) {
    if (__builtin_expect((long)upcr_p.phase + 1 < upcr_b, 1))
      return upcr_make(upcr_p.addr + upcr_e, upcr_p.phase + 1);
    unsigned long upcr_back = upcr_p.phase * upcr_e;
    return upcr_make(
        upcr_wrap_up(upcr_p.addr - upcr_back + (1ul << UPCR_SHIFT), (unsigned long)upcr_b * upcr_e),
        0);
  }
  if (__builtin_constant_p(upcr_n) && upcr_n == -1) {
    if (__builtin_expect(upcr_p.phase > 0, 1))
      return upcr_make(upcr_p.addr - upcr_e, upcr_p.phase - 1);
    unsigned long upcr_block = (unsigned long)upcr_b * upcr_e;
    return upcr_make(upcr_wrap_down(upcr_p.addr - (1ul << UPCR_SHIFT), upcr_block) + upcr_block -
                         upcr_e,
                     (unsigned long)upcr_b - 1);
  }
  long upcr_t = upcr_thread_of(upcr_p.addr);
  upcr_division upcr_k = upcr_divide((long)upcr_p.phase + upcr_n, upcr_b);
  upcr_division upcr_d = upcr_divide_by_threads(upcr_t + upcr_k.quotient);
  return upcr_make(
      upcr_p.addr + ((unsigned long)(upcr_d.remainder - upcr_t) << UPCR_SHIFT) +
          (unsigned long)(upcr_d.quotient * upcr_b + upcr_k.remainder - (long)upcr_p.phase) *
              upcr_e,
      (unsigned long)upcr_k.remainder);
}

/* p + (rows * THREADS * B + blocks * B + rest) */
UPCR_INLINE upcr_pts upcr_add_split(upcr_pts upcr_p, long upcr_rows, long upcr_blocks,
                                    long upcr_rest, unsigned long upcr_e, long upcr_b) {
  upcr_pts upcr_r = upcr_p;
  if (!(__builtin_constant_p(upcr_blocks) && upcr_blocks == 0 && __builtin_constant_p(upcr_rest) &&
        upcr_rest == 0))
    upcr_r = upcr_b == 1
                 ? upcr_add_cyclic(upcr_p, upcr_blocks + upcr_rest, upcr_e)
                 : upcr_add_blocked(upcr_p, upcr_blocks * upcr_b + upcr_rest, upcr_e, upcr_b);
  upcr_r.addr += (unsigned long)(upcr_rows * upcr_b) * upcr_e;
  return upcr_r;
}

extern upcr_visit upcr_visit_add(upcr_pts upcr_p, long upcr_n, unsigned long upcr_e, long upcr_b);

/* Address of p + n. */
UPCR_INLINE upcr_addr_t upcr_run_add(upcr_run *upcr_r, upcr_pts upcr_p, long upcr_n,
                                     unsigned long upcr_e, long upcr_b) {
  if (__builtin_expect((unsigned long)(upcr_n - upcr_r->first) >= (unsigned long)upcr_b ||
                           upcr_p.addr != upcr_r->from || upcr_p.phase != upcr_r->phase,
                       0)) {
    upcr_visit upcr_v = upcr_visit_add(upcr_p, upcr_n, upcr_e, upcr_b);
    upcr_r->from = upcr_p.addr;
    upcr_r->phase = upcr_p.phase;
    upcr_r->first = upcr_v.first;
    upcr_r->addr = upcr_v.addr;
  }
  return upcr_r->addr + (unsigned long)upcr_n * upcr_e;
}

/* The same as upcr_add_..., in the runtime. */
extern upcr_pts upcr_far_add_cyclic(upcr_pts upcr_p, long upcr_n, unsigned long upcr_e);
extern upcr_pts upcr_far_add_blocked(upcr_pts upcr_p, long upcr_n, unsigned long upcr_e,
                                     long upcr_b);

/* ---- p - q, in elements; both point into one array ---- */

UPCR_INLINE long upcr_sub_indef(upcr_pts upcr_p, upcr_pts upcr_q, unsigned long upcr_e) {
  return (long)(upcr_p.addr - upcr_q.addr) / (long)upcr_e;
}

/* Distance in the segments, in elements. */
UPCR_INLINE long upcr_sub_offset(upcr_pts upcr_p, upcr_pts upcr_q, unsigned long upcr_e) {
  return ((long)(upcr_p.addr & UPCR_OFFSET_MASK) - (long)(upcr_q.addr & UPCR_OFFSET_MASK)) /
         (long)upcr_e;
}

UPCR_INLINE long upcr_sub_cyclic(upcr_pts upcr_p, upcr_pts upcr_q, unsigned long upcr_e) {
  return upcr_sub_offset(upcr_p, upcr_q, upcr_e) * UPCR_THREADS +
         ((long)(upcr_p.addr >> UPCR_SHIFT) - (long)(upcr_q.addr >> UPCR_SHIFT));
}

UPCR_INLINE long upcr_sub_blocked(upcr_pts upcr_p, upcr_pts upcr_q, unsigned long upcr_e,
                                  long upcr_b) {
  long upcr_phases = (long)upcr_p.phase - (long)upcr_q.phase;
  return (upcr_sub_offset(upcr_p, upcr_q, upcr_e) - upcr_phases) * UPCR_THREADS +
         ((long)(upcr_p.addr >> UPCR_SHIFT) - (long)(upcr_q.addr >> UPCR_SHIFT)) * upcr_b +
         upcr_phases;
}

/* ---- Own iterations of a upc_forall that starts at index v and steps by s, n times ---- */

/* How often a loop from `begin` runs; negative if it does not end. */
UPCR_INLINE long upcr_count_up(long upcr_begin, long upcr_end, long upcr_s) {
  if (upcr_s <= 0) return -1;
  return upcr_end > upcr_begin ? (upcr_end - upcr_begin + upcr_s - 1) / upcr_s : 0;
}
UPCR_INLINE long upcr_count_down(long upcr_begin, long upcr_end, long upcr_s) {
  if (upcr_s >= 0) return -1;
  return upcr_begin > upcr_end ? (upcr_begin - upcr_end - upcr_s - 1) / -upcr_s : 0;
}
UPCR_INLINE long upcr_count_to(long upcr_begin, long upcr_end, long upcr_s) {
  return (upcr_end - upcr_begin) % upcr_s == 0 ? (upcr_end - upcr_begin) / upcr_s : -1;
}

/* `count` iterations: the variable goes from its first value plus `value` in steps of `value_step`,
 * the index among the own elements from `index` in steps of `index_step`. */
typedef struct {
  long count;
  long value;
  long value_step;
  long index;
  long index_step;
} upcr_own;

/* The set-up of a loop is inlined where the number of threads is static, and most of it constant;
 * else it is in the runtime. */
#ifdef UPCR_STATIC_THREADS
#define UPCR_SET_UP UPCR_INLINE
#else
#define UPCR_SET_UP
#endif

/* The index step as a constant where it is one, so that C compilers vectorise. */
UPCR_INLINE long upcr_own_step(long upcr_s, long upcr_index_step) {
  return upcr_s == 1 || upcr_s == -1 ? upcr_s : upcr_index_step;
}

/* Whether and when v + k * s is a multiple of THREADS plus MYTHREAD. */
#if defined UPCR_STATIC_THREADS || defined UPCR_FAR_DEFINITIONS
UPCR_SET_UP upcr_own upcr_own_cyclic(long upcr_v, long upcr_s, long upcr_n) {
  upcr_own upcr_r;
  long upcr_first, upcr_period = UPCR_THREADS;
  if (upcr_s == 1) {
    upcr_first = upcr_divide_by_threads(upcr_mythread - upcr_v).remainder;
    upcr_r.index_step = 1;
  } else if (upcr_s == -1) {
    upcr_first = upcr_divide_by_threads(upcr_v - upcr_mythread).remainder;
    upcr_r.index_step = -1;
  } else {
    long upcr_from = upcr_divide_by_threads(upcr_v).remainder,
         upcr_by = upcr_divide_by_threads(upcr_s).remainder;
    long upcr_at = upcr_from, upcr_k = 0;
    upcr_first = upcr_n;
    do {
      if (upcr_at == upcr_mythread && upcr_first == upcr_n) upcr_first = upcr_k;
      upcr_at += upcr_by;
      if (upcr_at >= UPCR_THREADS) upcr_at -= UPCR_THREADS;
      upcr_k++;
    } while (upcr_at != upcr_from);
    upcr_period = upcr_k;
    upcr_r.index_step = upcr_divide_by_threads(upcr_s * upcr_period).quotient;
  }
  upcr_r.count = upcr_first < upcr_n ? (upcr_n - upcr_first + upcr_period - 1) / upcr_period : 0;
  upcr_r.value = upcr_first * upcr_s;
  upcr_r.value_step = upcr_period * upcr_s;
  upcr_r.index = upcr_divide_by_threads(upcr_v + upcr_r.value).quotient;
  return upcr_r;
}
#else
extern upcr_own upcr_own_cyclic(long upcr_v, long upcr_s, long upcr_n);
#endif

/* Own blocks that a loop touches, by their number among the own ones. */
typedef struct {
  long count;
  long first;
  long step;
} upcr_own_range;

#if defined UPCR_STATIC_THREADS || defined UPCR_FAR_DEFINITIONS
UPCR_SET_UP upcr_own_range upcr_own_blocks(long upcr_v, long upcr_s, long upcr_n, long upcr_b) {
  upcr_own_range upcr_r;
  long upcr_last = upcr_v + (upcr_n - 1) * upcr_s;
  long upcr_low = upcr_divide(upcr_s > 0 ? upcr_v : upcr_last, upcr_b).quotient;
  long upcr_high = upcr_divide(upcr_s > 0 ? upcr_last : upcr_v, upcr_b).quotient;
  long upcr_from = upcr_divide_by_threads(upcr_low - upcr_mythread + UPCR_THREADS - 1).quotient;
  long upcr_to = upcr_divide_by_threads(upcr_high - upcr_mythread).quotient;
  upcr_r.count = upcr_n > 0 ? upcr_to - upcr_from + 1 : 0;
  upcr_r.first = upcr_s > 0 ? upcr_from : upcr_to;
  upcr_r.step = upcr_s > 0 ? 1 : -1;
  return upcr_r;
}
#else
extern upcr_own_range upcr_own_blocks(long upcr_v, long upcr_s, long upcr_n, long upcr_b);
#endif

/* The iterations within own block m; `index_step` is s. */
UPCR_INLINE upcr_own upcr_own_block(long upcr_m, long upcr_v, long upcr_s, long upcr_n,
                                    long upcr_b) {
  upcr_own upcr_r;
  long upcr_begin = (upcr_m * UPCR_THREADS + upcr_mythread) * upcr_b,
       upcr_end = upcr_begin + upcr_b;
  long upcr_first, upcr_past;
  if (upcr_s > 0) {
    upcr_first = upcr_begin > upcr_v ? (upcr_begin - upcr_v + upcr_s - 1) / upcr_s : 0;
    upcr_past = upcr_end > upcr_v ? (upcr_end - upcr_v + upcr_s - 1) / upcr_s : 0;
  } else {
    upcr_first = upcr_v >= upcr_end ? (upcr_v - upcr_end) / -upcr_s + 1 : 0;
    upcr_past = upcr_v >= upcr_begin ? (upcr_v - upcr_begin) / -upcr_s + 1 : 0;
  }
  if (upcr_past > upcr_n) upcr_past = upcr_n;
  upcr_r.count = upcr_past - upcr_first;
  upcr_r.value = upcr_first * upcr_s;
  upcr_r.value_step = upcr_s;
  upcr_r.index = upcr_m * upcr_b + (upcr_v + upcr_r.value - upcr_begin);
  upcr_r.index_step = upcr_s;
  return upcr_r;
}

/* All own blocks as one, for steps of 1 or -1: they follow each other in memory. */
#if defined UPCR_STATIC_THREADS || defined UPCR_FAR_DEFINITIONS
UPCR_SET_UP upcr_own upcr_own_all_blocks(upcr_own_range upcr_g, long upcr_v, long upcr_s,
                                         long upcr_n, long upcr_b) {
  upcr_own upcr_r = upcr_own_block(upcr_g.first, upcr_v, upcr_s, upcr_n, upcr_b);
  upcr_own upcr_last = upcr_own_block(upcr_g.first + (upcr_g.count - 1) * upcr_g.step, upcr_v,
                                      upcr_s, upcr_n, upcr_b);
  upcr_r.count = upcr_g.count > 0 ? (upcr_last.index - upcr_r.index) * upcr_s + upcr_last.count : 0;
  return upcr_r;
}
#else
extern upcr_own upcr_own_all_blocks(upcr_own_range upcr_g, long upcr_v, long upcr_s, long upcr_n,
                                    long upcr_b);
#endif

/* The index in the array of own element `x`. */
UPCR_INLINE long upcr_own_position(long upcr_x, long upcr_b) {
  upcr_division upcr_k = upcr_divide(upcr_x, upcr_b);
  return (upcr_k.quotient * UPCR_THREADS + upcr_mythread) * upcr_b + upcr_k.remainder;
}

/* ---- Strict accesses ---- */

/* Earlier accesses to far data are done, and what was read of it is forgotten. */
UPCR_INLINE void upcr_settle_far(void) {
#ifdef UPCR_MPI
  if (__builtin_expect(upcr_far_open, 0)) upcr_far_fence();
#endif
}

/* Loops that wait for another thread: one that does nothing but look at shared or volatile data
 * says so each time; a strict read may belong to another one. */
extern unsigned upcr_looks, upcr_looks_at_once, upcr_strict_reads;
extern void upcr_looked_often(void);
extern void upcr_read_often(void);
UPCR_INLINE void upcr_look(void) {
  upcr_settle_far();
  if (__builtin_expect(++upcr_looks >= upcr_looks_at_once, 0)) upcr_looked_often();
}
UPCR_INLINE void upcr_read_strictly(void) {
  upcr_settle_far();
  if (__builtin_expect(++upcr_strict_reads >= 1024, 0)) upcr_read_often();
}

/* A strict access is ordered after everything before it and before everything after it. Processors
 * let a read pass an earlier write, so both a read's begin and a write's end need a full fence. Far
 * data that came along with a strict read may be older than what was read, so it is forgotten. */
UPCR_INLINE void upcr_strict_before_read(void) {
  upcr_settle_far();
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
UPCR_INLINE void upcr_strict_after_read(void) {
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  upcr_read_strictly();
}
UPCR_INLINE void upcr_strict_before_write(void) {
  upcr_settle_far();
  __atomic_thread_fence(__ATOMIC_RELEASE);
}
UPCR_INLINE void upcr_strict_after_write(void) {
  upcr_settle_far();
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* ---- Statements ---- */

extern void upcr_initialise(struct upcr_value upcr_v);

#ifdef UPCR_INST
#define UPCR_ENTRY(upcr_plain, upcr_instrumented) __asm__(upcr_instrumented)
#else
#define UPCR_ENTRY(upcr_plain, upcr_instrumented)
#endif

/* Barriers are checked too, where that is asked for. */
#ifndef UPCR_CHECK
#define UPCR_SYNC(upcr_name) UPCR_ENTRY("upcr_" upcr_name, "upcr_i_" upcr_name)
#elif defined UPCR_INST
#define UPCR_SYNC(upcr_name) __asm__("upcr_ci_" upcr_name)
#else
#define UPCR_SYNC(upcr_name) __asm__("upcr_c_" upcr_name)
#endif

extern void upcr_barrier(int upcr_named, int upcr_value, const char *upcr_file, int upcr_line)
    UPCR_SYNC("barrier");
extern void upcr_notify(int upcr_named, int upcr_value, const char *upcr_file, int upcr_line)
    UPCR_SYNC("notify");
extern void upcr_wait(int upcr_named, int upcr_value, const char *upcr_file, int upcr_line)
    UPCR_SYNC("wait");
extern void upcr_fence(const char *upcr_file, int upcr_line)
    UPCR_ENTRY("upcr_fence", "upcr_i_fence");

#if defined UPCR_INST || defined UPCR_MPI
#include "pgas_upcr_accesses.h"
#endif

/* State at a call of setjmp: open functions, whether a tool is at work (in a handler of signals
 * that has interrupted it), and the tool's own state. */
#define UPCR_PLACE 4
typedef struct {
  int functions, is_in_tool;
  long tool[UPCR_PLACE];
} upcr_mark_t;

/* A function of the user whose calls are events. Pointers to all of a program lie in one section.
 */
typedef struct upcr_function_site {
  const char *upcr_name;
  const char *upcr_file;
  int upcr_line;
  int upcr_end_line;
  int upcr_is_leaf; /* nothing is reported in it: no call path needs it */
  int upcr_rests;   /* calls are no events now */
  /* Calls that have ended; while it rests, those that the tool does not know of yet. */
  unsigned long upcr_calls;
  struct upcr_function_site *upcr_next;
} upcr_function_site;

/* Whether this thread counts now what it does not report. */
extern __thread int upcr_counts_accesses __attribute__((__tls_model__("initial-exec")));

#ifdef UPCR_INST

/* ---- Instrumentation ---- */

extern void upcr_i_function_start(const upcr_function_site *upcr_site);
extern void upcr_i_function_finish(upcr_function_site *upcr_site);
extern void upcr_i_open_function(upcr_function_site *upcr_site);

/* Around setjmp: what is open there, and closes what longjmp has left. A unit that calls them
 * defines upcr_jumps, without which open functions are not kept. */
extern upcr_mark_t upcr_i_mark(void);
extern void upcr_i_landed(const upcr_mark_t *upcr_mark);

/* The function, if its end is to be reported. */
UPCR_INLINE upcr_function_site *upcr_function_begin(upcr_function_site *upcr_site) {
  if (upcr_site->upcr_rests) {
    if (upcr_counts_accesses && upcr_site->upcr_calls++ == 0) upcr_i_open_function(upcr_site);
    return (upcr_function_site *)0;
  }
  upcr_i_function_start(upcr_site);
  return upcr_site;
}
UPCR_INLINE void upcr_function_end(upcr_function_site **upcr_function) {
  if (*upcr_function) upcr_i_function_finish(*upcr_function);
}

extern void upcr_i_get_start(upcr_addr_t upcr_a, unsigned long upcr_size, int upcr_strict,
                             const char *upcr_file, int upcr_line);
extern void upcr_i_get_finish(upcr_addr_t upcr_a, unsigned long upcr_size, int upcr_strict,
                              const char *upcr_file, int upcr_line);
extern void upcr_i_put_start(upcr_addr_t upcr_a, unsigned long upcr_size, int upcr_strict,
                             const char *upcr_file, int upcr_line);
extern void upcr_i_put_finish(upcr_addr_t upcr_a, unsigned long upcr_size, int upcr_strict,
                              const char *upcr_file, int upcr_line);

/* Accesses to own data that were not reported: a tool cannot say what they cost without their
 * number. */
extern unsigned long upcr_i_own_accesses;

/* Whether an access is reported: own affinity only where that was asked for. */
UPCR_INLINE int upcr_is_reported(upcr_addr_t upcr_a) {
#ifdef UPCR_INST_LOCAL
  (void)upcr_a;
  return 1;
#else
  if (upcr_thread_of(upcr_a) != upcr_mythread) return 1;
  upcr_i_own_accesses++;
  return 0;
#endif
}

#include "pgas_upcr_counts.h"
#include "pgas_upcr_flags.h"

UPCR_INLINE int upcr_get_begin(upcr_addr_t upcr_a, unsigned long upcr_size, int upcr_strict,
                               const char *upcr_file, int upcr_line) {
  if (!upcr_is_reported(upcr_a)) return 0;
  upcr_i_get_start(upcr_a, upcr_size, upcr_strict, upcr_file, upcr_line);
  return 1;
}
UPCR_INLINE void upcr_get_end(upcr_addr_t upcr_a, unsigned long upcr_size, int upcr_strict,
                              const char *upcr_file, int upcr_line) {
  upcr_i_get_finish(upcr_a, upcr_size, upcr_strict, upcr_file, upcr_line);
}
UPCR_INLINE int upcr_put_begin(upcr_addr_t upcr_a, unsigned long upcr_size, int upcr_strict,
                               const char *upcr_file, int upcr_line) {
  /* A write to own data is one if another thread waits for it. */
  if (!upcr_is_reported(upcr_a) &&
      (__builtin_expect(*upcr_flag_waiters == 0, 1) || !upcr_i_is_awaited(upcr_a, upcr_size)))
    return 0;
  upcr_i_put_start(upcr_a, upcr_size, upcr_strict, upcr_file, upcr_line);
  return 1;
}
UPCR_INLINE void upcr_put_end(upcr_addr_t upcr_a, unsigned long upcr_size, int upcr_strict,
                              const char *upcr_file, int upcr_line) {
  upcr_i_put_finish(upcr_a, upcr_size, upcr_strict, upcr_file, upcr_line);
}

/* The library, with the place of the call. */
#define UPCR_AT const char *upcr_file, int upcr_line
extern upcr_pts upcr_i_upc_global_alloc(unsigned long upcr_blocks, unsigned long upcr_bytes,
                                        UPCR_AT);
extern upcr_pts upcr_i_upc_all_alloc(unsigned long upcr_blocks, unsigned long upcr_bytes, UPCR_AT);
extern upcr_pts upcr_i_upc_alloc(unsigned long upcr_bytes, UPCR_AT);
extern upcr_pts upcr_i_upc_local_alloc(unsigned long upcr_blocks, unsigned long upcr_bytes,
                                       UPCR_AT);
extern void upcr_i_upc_free(upcr_pts upcr_p, UPCR_AT);
extern void upcr_i_upc_all_free(upcr_pts upcr_p, UPCR_AT);

extern upcr_pts upcr_i_upc_global_lock_alloc(UPCR_AT);
extern upcr_pts upcr_i_upc_all_lock_alloc(UPCR_AT);
extern void upcr_i_upc_lock(upcr_pts upcr_l, UPCR_AT);
extern int upcr_i_upc_lock_attempt(upcr_pts upcr_l, UPCR_AT);
extern void upcr_i_upc_unlock(upcr_pts upcr_l, UPCR_AT);
extern void upcr_i_upc_lock_free(upcr_pts upcr_l, UPCR_AT);
extern void upcr_i_upc_all_lock_free(upcr_pts upcr_l, UPCR_AT);

extern void upcr_i_upc_memcpy(upcr_pts upcr_to, upcr_pts upcr_from, unsigned long upcr_n, UPCR_AT);
extern void upcr_i_upc_memget(void *upcr_to, upcr_pts upcr_from, unsigned long upcr_n, UPCR_AT);
extern void upcr_i_upc_memput(upcr_pts upcr_to, const void *upcr_from, unsigned long upcr_n,
                              UPCR_AT);
extern void upcr_i_upc_memset(upcr_pts upcr_to, int upcr_c, unsigned long upcr_n, UPCR_AT);

extern void upcr_i_upc_global_exit(int upcr_status, UPCR_AT) __attribute__((__noreturn__));

extern void upcr_i_upc_all_broadcast(upcr_pts upcr_to, upcr_pts upcr_from, unsigned long upcr_n,
                                     int upcr_flags, UPCR_AT);
extern void upcr_i_upc_all_scatter(upcr_pts upcr_to, upcr_pts upcr_from, unsigned long upcr_n,
                                   int upcr_flags, UPCR_AT);
extern void upcr_i_upc_all_gather(upcr_pts upcr_to, upcr_pts upcr_from, unsigned long upcr_n,
                                  int upcr_flags, UPCR_AT);
extern void upcr_i_upc_all_gather_all(upcr_pts upcr_to, upcr_pts upcr_from, unsigned long upcr_n,
                                      int upcr_flags, UPCR_AT);
extern void upcr_i_upc_all_exchange(upcr_pts upcr_to, upcr_pts upcr_from, unsigned long upcr_n,
                                    int upcr_flags, UPCR_AT);
extern void upcr_i_upc_all_permute(upcr_pts upcr_to, upcr_pts upcr_from, upcr_pts upcr_perm,
                                   unsigned long upcr_n, int upcr_flags, UPCR_AT);

#define UPCR_REDUCE(upcr_x, upcr_type)                                                           \
  extern void upcr_i_upc_all_reduce##upcr_x(                                                     \
      upcr_pts upcr_to, upcr_pts upcr_from, int upcr_op, unsigned long upcr_n,                   \
      unsigned long upcr_b, upcr_type (*upcr_f)(upcr_type, upcr_type), int upcr_flags, UPCR_AT); \
  extern void upcr_i_upc_all_prefix_reduce##upcr_x(                                              \
      upcr_pts upcr_to, upcr_pts upcr_from, int upcr_op, unsigned long upcr_n,                   \
      unsigned long upcr_b, upcr_type (*upcr_f)(upcr_type, upcr_type), int upcr_flags, UPCR_AT);
UPCR_REDUCE(C, signed char)
UPCR_REDUCE(UC, unsigned char)
UPCR_REDUCE(S, signed short)
UPCR_REDUCE(US, unsigned short)
UPCR_REDUCE(I, signed int)
UPCR_REDUCE(UI, unsigned int)
UPCR_REDUCE(L, signed long)
UPCR_REDUCE(UL, unsigned long)
UPCR_REDUCE(F, float)
UPCR_REDUCE(D, double)
UPCR_REDUCE(LD, long double)
#undef UPCR_REDUCE
#undef UPCR_AT

/* The optional libraries and what Berkeley UPC has. */
#include "pgas_upcr_calls.h"

#endif /* UPCR_INST */

#undef UPCR_ENTRY
#undef UPCR_SYNC

#ifdef UPCR_CHECK
#include "pgas_upcr_check.h"
#endif

#endif
