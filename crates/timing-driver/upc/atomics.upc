/* Atomic operations, where the compiler has upc_atomic.h. */
#include "families.h"

#ifdef __UPC_ATOMIC__
#include <string.h>
#include <upc_atomic.h>
#include <upc_types.h>
#include "numbers.h"
#include "places.h"

#define COUNT 100
#define COUNT_FAR 20 /* where each takes microseconds */
#define MOST 1000000

/* letters, type of upc_types.h, type of numbers.h; in the order of TYPE_WORDS */
#define ATOMIC_TYPES(X)                   \
  X(I, UPC_INT, int)                      \
  X(UI, UPC_UINT, unsigned)               \
  X(L, UPC_LONG, long)                    \
  X(UL, UPC_ULONG, unsigned_long)         \
  X(I64, UPC_INT64, long_long)            \
  X(UI64, UPC_UINT64, unsigned_long_long) \
  X(F, UPC_FLOAT, float)                  \
  X(D, UPC_DOUBLE, double)

#define OP_WORDS "op=add|sub|inc|dec|get|set|cswap|and|or|xor|mult|min|max"
enum { ADD, SUB, INC, DEC, GET, SET, CSWAP, AND, OR, XOR, MULT, MIN, MAX };
#define ARGUMENTS                                                       \
  "type=I|UI|L|UL|I64|UI64|F|D " OP_WORDS " fetch=yes|no contenders=N " \
  "partner=near|far|own|N count=N"
#define HELP                                                                                       \
  " on a number of the partner; fetch: the old value is asked for; contenders: threads from 0 on " \
  "that do it at once; count: of one launch"

struct atomics {
  const pgas_case *with;
  enum number_type type;
  int op;
  upc_op_t upc_op;
  int fetches;
  int takes_part;
  long contenders, count;
  int partner;
  upc_atomicdomain_t *domain;
  struct places target;
  /* As the type has them. */
  uint64_t operand1[2], operand2[2], fetched[2];
};

/* ---- Values ---- */

#define FIRST 8

/* The number after an operation. Comparisons succeed, and write the same value again. */
static struct number after(int op, struct number n) {
  switch (op) {
    case ADD:
    case INC: return (struct number){n.whole + 1, n.real + 1};
    case SUB:
    case DEC: return (struct number){n.whole - 1, n.real - 1};
    case SET: return number_from(5);
    case AND: return number_from(n.whole & 12);
    case OR: return number_from(n.whole | 3);
    case XOR: return number_from(n.whole ^ 3);
    case MULT: return (struct number){n.whole * 3, n.real * 2};
    case MIN: return number_from(4);
    case MAX: return number_from(20);
    default: return n;
  }
}

static struct number operand(const struct atomics *of) {
  static const uint64_t operands[] = {1, 1, 0, 0, 0, 5, FIRST, 12, 3, 3, 3, 4, 20};
  if (of->op == MULT && number_is_real(of->type)) return number_from(2);
  return number_from(operands[of->op]);
}

/* ---- Preparation ---- */

static int takes_operand(int op) { return op != GET && op != INC && op != DEC; }

static int is_refused(const struct atomics *of) {
  int is_bitwise = of->op == AND || of->op == OR || of->op == XOR;
  if (!number_is_real(of->type) || !is_bitwise) return 0;
  pgas_complain(of->with, "floating-point numbers have no bitwise operations");
  return 1;
}

static int read_arguments(struct atomics *of, const pgas_case *with) {
#define NUMBER(letters, type, number) NUMBER_##number,
  static const enum number_type numbers[] = {ATOMIC_TYPES(NUMBER)};
#undef NUMBER
  static const upc_op_t ops[] = {UPC_ADD, UPC_SUB, UPC_INC, UPC_DEC,  UPC_GET, UPC_SET, UPC_CSWAP,
                                 UPC_AND, UPC_OR,  UPC_XOR, UPC_MULT, UPC_MIN, UPC_MAX};
  of->with = with;
  of->type = numbers[pgas_argument_choice(with, "type")];
  of->op = pgas_argument_choice(with, "op");
  of->upc_op = ops[of->op];
  of->fetches = of->op == GET || pgas_argument_choice(with, "fetch") == 0;
  of->contenders = number_argument(with, "contenders", 1, 1, THREADS);
  of->partner = partner_argument(with, "near", 0);
  int is_far = of->partner >= 0 && with->nodes[of->partner] != with->nodes[0];
  of->count = number_argument(with, "count", is_far ? COUNT_FAR : COUNT, 1, MOST);
  of->takes_part = MYTHREAD < of->contenders;
  return of->contenders < 0 || of->count < 0 || of->partner < 0 || is_refused(of);
}

static void *prepare(const pgas_case *with) {
#define TYPE(letters, type, number) type,
  static const upc_type_t types[] = {ATOMIC_TYPES(TYPE)};
#undef TYPE
  struct atomics *of = state_of(with, sizeof *of);
  if (!of) return NULL;
  if (read_arguments(of, with)) return free(of), NULL;
  of->domain = upc_all_atomicdomain_alloc(types[pgas_argument_choice(with, "type")], of->upc_op, 0);
  of->target = places_of(sizeof of->operand1, 1);
  number_store(of->type, own_place(&of->target, 0), 0, number_from(FIRST));
  number_store(of->type, of->operand1, 0, operand(of));
  number_store(of->type, of->operand2, 0, number_from(FIRST));
  upc_barrier;
  pgas_repeats(with, of->count);
  return of;
}

static void finish(void *state) {
  struct atomics *of = state;
  free_places(&of->target);
  upc_all_atomicdomain_free(of->domain);
  free(of);
}

/* ---- Check, after the first launch ---- */

static int check(void *state, long launch) {
  struct atomics *of = state;
  struct number expected = number_from(FIRST);
  (void)launch;
  for (long i = 0; i < of->contenders * of->count; i++) expected = after(of->op, expected);
  if (MYTHREAD == of->partner && !number_is(of->type, own_place(&of->target, 0), 0, expected)) {
    pgas_complain(of->with, "the number is %g instead of %g",
                  number_read(of->type, own_place(&of->target, 0), 0),
                  number_is_real(of->type) ? expected.real : (double)(int64_t)expected.whole);
    return 1;
  }
  if (of->op == GET && of->takes_part && !number_is(of->type, of->fetched, 0, expected)) {
    pgas_complain(of->with, "the number that was fetched is wrong");
    return 1;
  }
  return 0;
}

/* ---- Operations ---- */

#define ATOMIC(mode)                                                                  \
  static void run_##mode(void *state, long launch) {                                  \
    struct atomics *of = state;                                                       \
    if (!of->takes_part) return;                                                      \
    shared void *target = place_on(&of->target, of->partner, launch);                 \
    void *fetched = of->fetches ? of->fetched : NULL;                                 \
    const void *operand1 = takes_operand(of->op) ? of->operand1 : NULL;               \
    const void *operand2 = of->op == CSWAP ? of->operand2 : NULL;                     \
    for (long i = 0; i < of->count; i++)                                              \
      upc_atomic_##mode(of->domain, fetched, of->upc_op, target, operand1, operand2); \
  }                                                                                   \
  static const pgas_operation mode##_operation = {.name = "upc_atomic_" #mode,        \
                                                  .help = "an atomic operation" HELP, \
                                                  .arguments = ARGUMENTS,             \
                                                  .independent = 1,                   \
                                                  .prepare = prepare,                 \
                                                  .run = run_##mode,                  \
                                                  .check = check,                     \
                                                  .finish = finish};

ATOMIC(relaxed)
ATOMIC(strict)

const pgas_operation *const *pgas_upc_atomics(void) {
  static const pgas_operation *const all[] = {&relaxed_operation, &strict_operation, NULL};
  return all;
}

#else

const pgas_operation *const *pgas_upc_atomics(void) {
  static const pgas_operation *const none[] = {NULL};
  return none;
}

#endif
