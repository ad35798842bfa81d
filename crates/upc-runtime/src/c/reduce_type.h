/* Reduction and prefix reduction of one TYPE, whose functions end in NAME; FLOATING for those
 * without bits. Included by reduce.c once for each type. */

typedef TYPE (*JOIN(function_, NAME))(TYPE, TYPE);

/* Does `action` with `x` and `y` combined by each operator in turn, so that a loop in it knows its
 * operator. */
#define COMBINED_ANY(action)                      \
  case UPC_ADD: action((TYPE)(x + y)); break;     \
  case UPC_MULT: action((TYPE)(x * y)); break;    \
  case UPC_LOGAND: action((TYPE)(x && y)); break; \
  case UPC_LOGOR: action((TYPE)(x || y)); break;  \
  case UPC_MIN: action(x < y ? x : y); break;     \
  case UPC_MAX: action(x > y ? x : y); break;     \
  case UPC_FUNC:                                  \
  case UPC_NONCOMM_FUNC: action(f(x, y)); break;
#ifdef FLOATING
#define COMBINED(action) COMBINED_ANY(action)
#else
#define COMBINED(action)                      \
  COMBINED_ANY(action)                        \
  case UPC_AND: action((TYPE)(x & y)); break; \
  case UPC_OR: action((TYPE)(x | y)); break;  \
  case UPC_XOR: action((TYPE)(x ^ y)); break;
#endif

/* `x` combined with `n` elements from `p` on. */
static TYPE JOIN(combine_, NAME)(TYPE x, const TYPE *p, unsigned long n, int op,
                                 JOIN(function_, NAME) f) {
  switch (op) {
#define ACTION(expression)                \
  for (unsigned long i = 0; i < n; i++) { \
    TYPE y = p[i];                        \
    x = (expression);                     \
  }
    COMBINED(ACTION)
#undef ACTION
  }
  return x;
}

/* Likewise, storing every intermediate result. */
static TYPE JOIN(scan_, NAME)(TYPE x, TYPE *to, const TYPE *p, unsigned long n, int op,
                              JOIN(function_, NAME) f) {
  switch (op) {
#define ACTION(expression)                \
  for (unsigned long i = 0; i < n; i++) { \
    TYPE y = p[i];                        \
    x = (expression);                     \
    to[i] = x;                            \
  }
    COMBINED(ACTION)
#undef ACTION
  }
  return x;
}

static void JOIN(check_, NAME)(upcr_pts to, upcr_pts from, int op, JOIN(function_, NAME) f,
                               const char *call) {
  check(to, call, "destination");
  check(from, call, "source");
  switch (op) {
    case UPC_ADD:
    case UPC_MULT:
    case UPC_LOGAND:
    case UPC_LOGOR:
    case UPC_MIN:
    case UPC_MAX: return;
    case UPC_FUNC:
    case UPC_NONCOMM_FUNC:
      if (f == NULL) upcr_fatal("thread %d: %s with UPC_FUNC has no function", upcr_mythread, call);
      return;
#ifndef FLOATING
    case UPC_AND:
    case UPC_OR:
    case UPC_XOR: return;
#endif
    default: unknown_operator(call, op);
  }
}

/* Elements `begin` to `end` combined in the order of their indices; `present` tells whether there
 * are any. */
static TYPE JOIN(combine_range_, NAME)(const struct layout *l, unsigned long begin,
                                       unsigned long end, int op, JOIN(function_, NAME) f,
                                       int *present) {
  TYPE x = 0;
  *present = begin < end;
  for (unsigned long i = begin, run; i < end; i += run) {
    upcr_addr_t at = element(l, i, &run);
    if (run > end - i) run = end - i;
    const TYPE *p = readable(at, &run, sizeof(TYPE));
    x = i == begin ? JOIN(combine_, NAME)(p[0], p + 1, run - 1, op, f)
                   : JOIN(combine_, NAME)(x, p, run, op, f);
  }
  return x;
}

UPCR_LIBRARY void JOIN(upc_all_reduce, NAME)(upcr_pts to, upcr_pts from, int op, unsigned long n,
                                             unsigned long blk, JOIN(function_, NAME) f,
                                             int flags) {
  JOIN(check_, NAME)(to, from, op, f, "upc_all_reduce");
  int root = upcr_thread_of(to.addr), by_index = op == UPC_NONCOMM_FUNC;
  struct layout l = layout_of(from, blk, sizeof(TYPE));
  upcr_collective_begin(UPCR_AT_REDUCE, flags, by_index ? UPCR_ALL : UPCR_NOBODY);
  struct upcr_partial *mine = own_partial();
  if (by_index) {
    unsigned long begin, end;
    range(n, &begin, &end);
    *(TYPE *)mine->value = JOIN(combine_range_, NAME)(&l, begin, end, op, f, &mine->present);
  } else {
    unsigned long count;
    const TYPE *p = upcr_local(own_elements(&l, n, &count));
    mine->present = count != 0;
    if (count != 0) *(TYPE *)mine->value = JOIN(combine_, NAME)(p[0], p + 1, count - 1, op, f);
  }
  publish_partial(mine, root);
  if (root == upcr_mythread) {
    TYPE x = 0;
    int present = 0;
    for (int t = 0; t < upcr_threads; t++) {
      struct upcr_partial *partial = ready_partial(t);
      if (!partial->present) continue;
      const TYPE *value = (const TYPE *)partial->value;
      x = present ? JOIN(combine_, NAME)(x, value, 1, op, f) : *value;
      present = 1;
    }
    if (present) *(TYPE *)upcr_local(to.addr) = x;
  }
  upcr_collective_end(UPCR_AT_REDUCE, flags, by_index ? UPCR_ALL : UPCR_NOBODY);
}

UPCR_LIBRARY void JOIN(upc_all_prefix_reduce, NAME)(upcr_pts to, upcr_pts from, int op,
                                                    unsigned long n, unsigned long blk,
                                                    JOIN(function_, NAME) f, int flags) {
  JOIN(check_, NAME)(to, from, op, f, "upc_all_prefix_reduce");
  struct layout source = layout_of(from, blk, sizeof(TYPE)),
                destination = layout_of(to, blk, sizeof(TYPE));
  upcr_collective_begin(UPCR_AT_PREFIX_REDUCE, flags, UPCR_ALL);
  struct upcr_partial *mine = own_partial();
  unsigned long begin, end;
  range(n, &begin, &end);
  *(TYPE *)mine->value = JOIN(combine_range_, NAME)(&source, begin, end, op, f, &mine->present);
  publish_partial(mine, UPCR_ALL);
  TYPE x = 0;
  int present = 0;
  if (begin < end)
    for (int t = 0; t < upcr_mythread; t++) {
      struct upcr_partial *partial = ready_partial(t);
      if (!partial->present) continue;
      const TYPE *value = (const TYPE *)partial->value;
      x = present ? JOIN(combine_, NAME)(x, value, 1, op, f) : *value;
      present = 1;
    }
  for (unsigned long i = begin; i < end;) {
    unsigned long run, run_to;
    upcr_addr_t from_at = element(&source, i, &run), to_at = element(&destination, i, &run_to);
    if (run > run_to) run = run_to;
    if (run > end - i) run = end - i;
    TYPE *q = writable(to_at, &run, sizeof(TYPE));
    const TYPE *p = readable(from_at, &run, sizeof(TYPE));
    if (present) {
      x = JOIN(scan_, NAME)(x, q, p, run, op, f);
    } else {
      x = q[0] = p[0];
      x = JOIN(scan_, NAME)(x, q + 1, p + 1, run - 1, op, f);
      present = 1;
    }
    written(to_at, q, run * sizeof(TYPE));
    i += run;
  }
  upcr_collective_end(UPCR_AT_PREFIX_REDUCE, flags, UPCR_ALL);
}

#undef TYPE
#undef NAME
#undef COMBINED
#undef COMBINED_ANY
