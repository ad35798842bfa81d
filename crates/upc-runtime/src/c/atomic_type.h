/* Atomic operations on one TYPE, whose function ends in NAME; FLOATING for those that the processor
 * has no arithmetic for, with the integer type BITS of the same size. Included by atomic.c once for
 * each type. */

#ifdef FLOATING

/* Stores `expression`, which may use the old value `x`. */
#define REPLACE(expression)                                                                   \
  do {                                                                                        \
    BITS seen = __atomic_load_n((BITS *)target, __ATOMIC_RELAXED), wanted;                    \
    do {                                                                                      \
      memcpy(&x, &seen, sizeof x);                                                            \
      TYPE result = (expression);                                                             \
      memcpy(&wanted, &result, sizeof wanted);                                                \
    } while (!__atomic_compare_exchange_n((BITS *)target, &seen, wanted, 1, __ATOMIC_ACQ_REL, \
                                          __ATOMIC_RELAXED));                                 \
  } while (0)
/* Equal bits are taken for equal also where a comparison would not, so that a loop around this ends
 * for a NaN. */
#define SAME(x, y) ((x) == (y) || memcmp(&(x), &(y), sizeof(x)) == 0)

#else

#define REPLACE(expression)                                                                  \
  do {                                                                                       \
    x = __atomic_load_n(target, __ATOMIC_RELAXED);                                           \
    while (!__atomic_compare_exchange_n(target, &x, (TYPE)(expression), 1, __ATOMIC_ACQ_REL, \
                                        __ATOMIC_RELAXED)) {                                 \
    }                                                                                        \
  } while (0)

#endif

int JOIN(upcr_atomic_, NAME)(TYPE *fetch, int op, TYPE *target, const TYPE *a, const TYPE *b) {
  TYPE x;
  switch (op) {
    case UPC_GET: __atomic_load(target, &x, __ATOMIC_ACQUIRE); break;
    case UPC_SET:
      if (fetch == NULL) {
        TYPE value = *a;
        __atomic_store(target, &value, __ATOMIC_RELEASE);
        return 1;
      }
      REPLACE(*a);
      break;
#ifdef FLOATING
    case UPC_ADD: REPLACE(x + *a); break;
    case UPC_SUB: REPLACE(x - *a); break;
    case UPC_INC: REPLACE(x + 1); break;
    case UPC_DEC: REPLACE(x - 1); break;
    case UPC_CSWAP: REPLACE(SAME(x, *a) ? *b : x); break;
#else
    case UPC_ADD: x = __atomic_fetch_add(target, *a, __ATOMIC_ACQ_REL); break;
    case UPC_SUB: x = __atomic_fetch_sub(target, *a, __ATOMIC_ACQ_REL); break;
    case UPC_INC: x = __atomic_fetch_add(target, 1, __ATOMIC_ACQ_REL); break;
    case UPC_DEC: x = __atomic_fetch_sub(target, 1, __ATOMIC_ACQ_REL); break;
    case UPC_AND: x = __atomic_fetch_and(target, *a, __ATOMIC_ACQ_REL); break;
    case UPC_OR: x = __atomic_fetch_or(target, *a, __ATOMIC_ACQ_REL); break;
    case UPC_XOR: x = __atomic_fetch_xor(target, *a, __ATOMIC_ACQ_REL); break;
    case UPC_CSWAP:
      x = *a;
      __atomic_compare_exchange_n(target, &x, *b, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
      break;
#endif
    case UPC_MULT: REPLACE(x * *a); break;
    case UPC_MIN: REPLACE(x < *a ? x : *a); break;
    case UPC_MAX: REPLACE(x > *a ? x : *a); break;
    default: return 0;
  }
  if (fetch != NULL) *fetch = x;
  return 1;
}

#undef REPLACE
#undef SAME
#undef TYPE
#undef NAME
#undef BITS
