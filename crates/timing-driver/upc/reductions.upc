/* Reductions and prefix reductions of all types of UPC. */
#include "families.h"
#include "flags.h"
#include "numbers.h"
#include "places.h"

/* letters of the type in UPC, C type, type of numbers.h; in the order of TYPE_WORDS */
#define REDUCED_TYPES(X)                \
  X(I, int, int)                        \
  X(C, signed char, signed_char)        \
  X(UC, unsigned char, unsigned_char)   \
  X(S, short, short)                    \
  X(US, unsigned short, unsigned_short) \
  X(UI, unsigned int, unsigned)         \
  X(L, long, long)                      \
  X(UL, unsigned long, unsigned_long)   \
  X(F, float, float)                    \
  X(D, double, double)                  \
  X(LD, long double, long_double)
#define TYPE_WORDS "type=I|C|UC|S|US|UI|L|UL|F|D|LD"

/* In the order of OPERATOR_CHOICES; `func` is an addition by a function of the program. */
#define OPERATOR_CHOICES "op=add|mult|min|max|and|or|xor|logand|logor|func"
enum { ADD, MULT, MIN, MAX, AND, OR, XOR, LOGAND, LOGOR, FUNC };

#define LETTERS(letters, type, number) TYPE_##letters,
enum { REDUCED_TYPES(LETTERS) };
#undef LETTERS

static const enum number_type numbers[] = {
#define NUMBER(letters, type, number) NUMBER_##number,
    REDUCED_TYPES(NUMBER)
#undef NUMBER
};

struct reduction {
  const pgas_case *with;
  int type, op;
  upc_op_t upc_op;
  upc_flag_t flags;
  int root; /* has the result */
  int is_prefix;
  size_t elements; /* of each thread */
  struct places source, target;
};

/* ---- Values ---- */

/* Small numbers, so that results are exact in all types. */
static uint64_t value(int op, int thread, size_t position) {
  size_t mixed = (size_t)thread + position;
  switch (op) {
    case MULT: return position == 0 && thread < 6 ? 2 : 1;
    case MIN:
    case MAX: return 3 + mixed % 5;
    case AND: return mixed % 31 == 5 ? 6 : 7;
    case OR:
    case XOR: return position % 16 == 0 ? (uint64_t)1 << (thread % 3) : 0;
    case LOGAND: return 1;
    case LOGOR: return position == 0 && thread == THREADS - 1;
    default: return position % 64 == 0 ? (uint64_t)thread % 3 + 1 : 0;
  }
}

static uint64_t both(int op, uint64_t a, uint64_t b) {
  static const enum operator_kind kinds[] = {
      OPERATOR_sum, OPERATOR_prod, OPERATOR_min,  OPERATOR_max, OPERATOR_band,
      OPERATOR_bor, OPERATOR_bxor, OPERATOR_land, OPERATOR_lor, OPERATOR_sum};
  return combine_whole(kinds[op], a, b);
}

#define ADDITION(letters, type, number) \
  static type add_##letters(type a, type b) { return (type)(a + b); }
REDUCED_TYPES(ADDITION)
#undef ADDITION

/* ---- Preparation ---- */

static int is_refused(const struct reduction *of, size_t size) {
  const pgas_case *with = of->with;
  if (number_is_real(numbers[of->type]) && (of->op == AND || of->op == OR || of->op == XOR)) {
    pgas_complain(with, "floating-point numbers have no bitwise operations");
    return 1;
  }
  if (with->bytes >= size && with->bytes % size == 0) return 0;
  pgas_complain(with, "the size must be a multiple of %zu bytes, the size of the type", size);
  return 1;
}

static void fill(const struct reduction *of) {
  for (int buffer = 0; buffer < of->source.count; buffer++)
    for (size_t i = 0; i < of->elements; i++)
      number_store(numbers[of->type], own_place(&of->source, buffer), i,
                   number_from(value(of->op, MYTHREAD, i)));
  size_t results = of->is_prefix ? of->elements : 1;
  for (int buffer = 0; buffer < of->target.count; buffer++)
    for (size_t i = 0; i < results; i++)
      number_store(numbers[of->type], own_place(&of->target, buffer), i, number_from(101));
}

static void *prepare(const pgas_case *with, int is_prefix) {
  static const upc_op_t ops[] = {UPC_ADD, UPC_MULT, UPC_MIN,    UPC_MAX,   UPC_AND,
                                 UPC_OR,  UPC_XOR,  UPC_LOGAND, UPC_LOGOR, UPC_FUNC};
  struct reduction *of = state_of(with, sizeof *of);
  if (!of) return NULL;
  of->with = with;
  of->type = pgas_argument_choice(with, "type");
  of->op = pgas_argument_choice(with, "op");
  of->upc_op = ops[of->op];
  of->flags = flags_argument(with);
  of->root = (int)number_argument(with, "root", 0, 0, THREADS - 1);
  of->is_prefix = is_prefix;
  size_t size = number_size(numbers[of->type]);
  if (is_refused(of, size) || of->root < 0) return free(of), NULL;
  of->elements = with->bytes / size;
  of->source = places_of(with->bytes, with->buffers);
  of->target = places_of(is_prefix ? with->bytes : size, with->buffers);
  fill(of);
  upc_barrier;
  return of;
}

static void *prepare_reduce(const pgas_case *with) { return prepare(with, 0); }
static void *prepare_prefix_reduce(const pgas_case *with) { return prepare(with, 1); }

static void finish(void *state) {
  struct reduction *of = state;
  free_places(&of->source);
  free_places(&of->target);
  free(of);
}

/* ---- Check ---- */

/* The result so far, continued with a thread's numbers. */
static uint64_t with_thread(const struct reduction *of, int thread, uint64_t so_far) {
  for (size_t i = 0; i < of->elements; i++)
    so_far = thread == 0 && i == 0 ? value(of->op, 0, 0)
                                   : both(of->op, so_far, value(of->op, thread, i));
  return so_far;
}

static int is_right(const struct reduction *of, const void *target, size_t position,
                    uint64_t expected) {
  if (number_is(numbers[of->type], target, position, number_from(expected))) return 1;
  pgas_complain(of->with, "result %zu is %g instead of %llu", position,
                number_read(numbers[of->type], target, position), (unsigned long long)expected);
  return 0;
}

static int check_reduce(void *state, long launch) {
  struct reduction *of = state;
  uint64_t expected = 0;
  if (MYTHREAD != of->root) return 0;
  for (int thread = 0; thread < THREADS; thread++) expected = with_thread(of, thread, expected);
  return !is_right(of, own_place(&of->target, launch), 0, expected);
}

static int check_prefix_reduce(void *state, long launch) {
  struct reduction *of = state;
  uint64_t expected = 0;
  for (int thread = 0; thread < MYTHREAD; thread++) expected = with_thread(of, thread, expected);
  for (size_t i = 0; i < of->elements; i++) {
    uint64_t next = value(of->op, MYTHREAD, i);
    expected = MYTHREAD == 0 && i == 0 ? next : both(of->op, expected, next);
    if (!is_right(of, own_place(&of->target, launch), i, expected)) return 1;
  }
  return 0;
}

/* ---- Operations ---- */

#define CALL(letters, type, number)                                                     \
  case TYPE_##letters:                                                                  \
    FUNCTION(letters)(target, source, of->upc_op, of->elements * THREADS, of->elements, \
                      add_##letters, of->flags);                                        \
    break;

static void run_reduce(void *state, long launch) {
  struct reduction *of = state;
  shared void *target = place_on(&of->target, of->root, launch);
  shared void *source = place_on(&of->source, 0, launch);
  switch (of->type) {
#define FUNCTION(letters) upc_all_reduce##letters
    REDUCED_TYPES(CALL)
#undef FUNCTION
  }
}

static void run_prefix_reduce(void *state, long launch) {
  struct reduction *of = state;
  shared void *target = place_on(&of->target, 0, launch);
  shared void *source = place_on(&of->source, 0, launch);
  switch (of->type) {
#define FUNCTION(letters) upc_all_prefix_reduce##letters
    REDUCED_TYPES(CALL)
#undef FUNCTION
  }
}

#define REDUCTION(operation, describe, takes)                                                \
  static const pgas_operation operation = {.name = "upc_all_" #operation,                    \
                                           .help = describe FLAG_HELP,                       \
                                           .arguments = TYPE_WORDS " " OPERATOR_CHOICES      \
                                                                   " " takes FLAG_ARGUMENTS, \
                                           .sized = 1,                                       \
                                           .prepare = prepare_##operation,                   \
                                           .run = run_##operation,                           \
                                           .check = check_##operation,                       \
                                           .finish = finish};

REDUCTION(reduce, "all numbers of all threads to one on the root; size: bytes of each thread",
          "root=N ")
REDUCTION(prefix_reduce, "each number with all before it; size: bytes of each thread", "")

const pgas_operation *const *pgas_upc_reductions(void) {
  static const pgas_operation *const all[] = {&reduce, &prefix_reduce, NULL};
  return all;
}
