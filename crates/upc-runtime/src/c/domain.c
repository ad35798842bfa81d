/* The library of upc_atomic.h: domains, which say what may be done to variables of which type, and
 * the operations with all that can be wrong about their arguments. */
#include <stdio.h>
#include <string.h>

#include "atomic.h"

#define MAGIC 0x55504144u

struct upcr_domain {
  uint32_t magic;
  int type;
  int ops;
};

#define ACCESS (UPC_GET | UPC_SET | UPC_CSWAP)
#define NUMERIC (UPC_ADD | UPC_SUB | UPC_MULT | UPC_INC | UPC_DEC | UPC_MIN | UPC_MAX)
#define BITWISE (UPC_AND | UPC_OR | UPC_XOR)

/* ---- Types and operations, and their names ---- */

static const struct {
  int type;
  const char *name;
  int ops; /* that are possible */
  unsigned char size;
} types[] = {
    {UPC_INT, "UPC_INT", ACCESS | NUMERIC | BITWISE, 4},
    {UPC_UINT, "UPC_UINT", ACCESS | NUMERIC | BITWISE, 4},
    {UPC_LONG, "UPC_LONG", ACCESS | NUMERIC | BITWISE, 8},
    {UPC_ULONG, "UPC_ULONG", ACCESS | NUMERIC | BITWISE, 8},
    {UPC_INT32, "UPC_INT32", ACCESS | NUMERIC | BITWISE, 4},
    {UPC_UINT32, "UPC_UINT32", ACCESS | NUMERIC | BITWISE, 4},
    {UPC_INT64, "UPC_INT64", ACCESS | NUMERIC | BITWISE, 8},
    {UPC_UINT64, "UPC_UINT64", ACCESS | NUMERIC | BITWISE, 8},
    {UPC_LLONG, "UPC_LLONG", ACCESS | NUMERIC | BITWISE, 8},
    {UPC_ULLONG, "UPC_ULLONG", ACCESS | NUMERIC | BITWISE, 8},
    {UPC_FLOAT, "UPC_FLOAT", ACCESS | NUMERIC, 4},
    {UPC_DOUBLE, "UPC_DOUBLE", ACCESS | NUMERIC, 8},
    {UPC_PTS, "UPC_PTS", ACCESS, 16},
};
#define TYPES (int)(sizeof types / sizeof types[0])

static const struct {
  int op;
  const char *name;
} operations[] = {
    {UPC_GET, "UPC_GET"},     {UPC_SET, "UPC_SET"}, {UPC_CSWAP, "UPC_CSWAP"},
    {UPC_ADD, "UPC_ADD"},     {UPC_SUB, "UPC_SUB"}, {UPC_MULT, "UPC_MULT"},
    {UPC_INC, "UPC_INC"},     {UPC_DEC, "UPC_DEC"}, {UPC_AND, "UPC_AND"},
    {UPC_OR, "UPC_OR"},       {UPC_XOR, "UPC_XOR"}, {UPC_LOGAND, "UPC_LOGAND"},
    {UPC_LOGOR, "UPC_LOGOR"}, {UPC_MIN, "UPC_MIN"}, {UPC_MAX, "UPC_MAX"},
};

/* Number in `types`, -1 if the type is none that atomics have. */
static int number_of(int type) {
  for (int i = 0; i < TYPES; i++)
    if (types[i].type == type) return i;
  return -1;
}

/* Names of operations, separated by |. */
static const char *names_of(int ops, char *text, size_t size) {
  int length = 0;
  text[0] = 0;
  for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
    if (ops & operations[i].op) {
      length += snprintf(text + length, size - (size_t)length, "%s%s", length == 0 ? "" : "|",
                         operations[i].name);
      ops &= ~operations[i].op;
    }
  if (ops != 0 || length == 0)
    snprintf(text + length, size - (size_t)length, "%s0x%x", length == 0 ? "" : "|", ops);
  return text;
}

/* ---- Domains ---- */

#ifdef UPCR_MPI
/* Counts allocations and frees of domains. A copy is valid only until the next one, since a new
 * domain may reuse the address. */
static _Atomic uint32_t changes = 1;

/* Domains are immutable while they exist, so a copy serves for many operations. */
static struct upcr_domain *copy_of(upcr_addr_t addr) {
  static __thread struct upcr_domain copy;
  static __thread upcr_addr_t copied;
  static __thread uint32_t copied_at;
  uint32_t now = atomic_load_explicit(&changes, memory_order_relaxed);
  if (addr != copied || now != copied_at) upcr_get_bytes(&copy, addr, sizeof copy);
  copied = copy.magic == MAGIC ? addr : 0;
  copied_at = now;
  return &copy;
}
static void domains_change(void) { atomic_fetch_add(&changes, 1); }
#else
static inline void domains_change(void) {}
#endif

/* The domain itself, or a copy of it. */
static struct upcr_domain *domain_at(upcr_addr_t addr) {
#ifdef UPCR_MPI
  if (!upcr_is_near(addr)) return copy_of(addr);
#endif
  return upcr_local(addr);
}

static struct upcr_domain *check(upcr_pts p, const char *call) {
  int thread = upcr_thread_of(p.addr);
  if (p.addr == 0)
    upcr_fatal("thread %d: %s with a null pointer for its domain", upcr_mythread, call);
  struct upcr_domain *domain =
      thread >= 0 && thread < upcr_threads ? domain_at(p.addr) : upcr_local(p.addr);
  if (thread < 0 || thread >= upcr_threads || __builtin_expect(domain->magic != MAGIC, 0))
    upcr_fatal("thread %d: %s with something that is not an atomic domain, or was freed",
               upcr_mythread, call);
  return domain;
}

UPCR_LIBRARY upcr_pts upc_all_atomicdomain_alloc(int type, int ops, int hints) {
  char text[200];
  int number = number_of(type);
  (void)hints;
  if (number < 0)
    upcr_fatal(
        "thread %d: upc_all_atomicdomain_alloc for the type %d, which has no atomic operations",
        upcr_mythread, type);
  int impossible = ops & ~types[number].ops;
  if (ops == 0 || impossible != 0)
    upcr_fatal("thread %d: upc_all_atomicdomain_alloc for %s with the operations %s, which %s",
               upcr_mythread, types[number].name, names_of(impossible, text, sizeof text),
               ops == 0 ? "are none" : "the type does not have");
  upcr_addr_t addr = 0;
  if (upcr_mythread == 0) {
    addr = upcr_heap_local(0, sizeof(struct upcr_domain), "upc_all_atomicdomain_alloc");
    struct upcr_domain *fresh = upcr_local(addr);
    memset(fresh, 0, sizeof *fresh);
    fresh->magic = MAGIC;
    fresh->type = type;
    fresh->ops = ops;
  }
  addr = upcr_publish(addr);
  domains_change();
  const struct upcr_domain *domain = domain_at(addr);
  if (domain->type != type || domain->ops != ops)
    upcr_fatal("thread %d: upc_all_atomicdomain_alloc with other arguments than on thread 0: all "
               "threads must give the "
               "same",
               upcr_mythread);
  return upcr_make(addr, 0);
}

/* The last thread frees it, so nobody waits. */
UPCR_LIBRARY void upc_all_atomicdomain_free(upcr_pts p) {
  if (p.addr == 0) return;
  check(p, "upc_all_atomicdomain_free");
  domains_change();
  if (!upcr_heap_is_last_to_free(p, "upc_all_atomicdomain_free")) return;
  upcr_set_bytes(p.addr, 0, sizeof(struct upcr_domain));
  upcr_heap_free(p, "upc_all_atomicdomain_free");
}

/* ---- Operations ---- */

static void refuse(const char *call, int type, int op, const char *what) __attribute__((noreturn));
static void refuse(const char *call, int type, int op, const char *what) {
  char text[200];
  upcr_fatal("thread %d: %s of %s on %s %s", upcr_mythread, call, names_of(op, text, sizeof text),
             types[number_of(type)].name, what);
}

static inline void operate(upcr_pts domain_of, void *fetch, int op, upcr_pts p, const void *a,
                           const void *b, const char *call) {
  const struct upcr_domain *domain = check(domain_of, call);
  int type = domain->type;
  if (__builtin_expect((op & domain->ops) != op || (op & (op - 1)) != 0 || op == 0, 0)) {
    char text[200], what[300];
    snprintf(what, sizeof what, "is not in the domain, which has %s",
             names_of(domain->ops, text, sizeof text));
    refuse(call, type, op, (op & (op - 1)) != 0 ? "is more than one operation" : what);
  }
  int thread = upcr_thread_of(p.addr);
  if (__builtin_expect(thread < 0 || thread >= upcr_threads, 0))
    refuse(call, type, op,
           p.addr == 0 ? "has a null pointer for its target"
                       : "has a target that is not in shared memory");
  if (__builtin_expect(op == UPC_GET && fetch == NULL, 0))
    refuse(call, type, op, "has nowhere to store the value");
  if (__builtin_expect(a == NULL && (op & (UPC_GET | UPC_INC | UPC_DEC)) == 0, 0))
    refuse(call, type, op, "has no first operand");
  if (__builtin_expect(op == UPC_CSWAP && b == NULL, 0))
    refuse(call, type, op, "has no second operand");
  /* A loop that asks for the value may wait, as one with strict reads. */
  if ((op & (UPC_GET | UPC_CSWAP)) != 0) upcr_read_strictly();
  switch (type) {
    case UPC_INT:
    case UPC_INT32: UPCR_ATOMIC_AT(I, fetch, op, p.addr, a, b); break;
    case UPC_UINT:
    case UPC_UINT32: UPCR_ATOMIC_AT(UI, fetch, op, p.addr, a, b); break;
    case UPC_LONG:
    case UPC_INT64:
    case UPC_LLONG: UPCR_ATOMIC_AT(L, fetch, op, p.addr, a, b); break;
    case UPC_ULONG:
    case UPC_UINT64:
    case UPC_ULLONG: UPCR_ATOMIC_AT(UL, fetch, op, p.addr, a, b); break;
    case UPC_FLOAT: UPCR_ATOMIC_AT(F, fetch, op, p.addr, a, b); break;
    case UPC_DOUBLE: UPCR_ATOMIC_AT(D, fetch, op, p.addr, a, b); break;
    case UPC_PTS: UPCR_ATOMIC_AT(PTS, fetch, op, p.addr, a, b); break;
  }
}

UPCR_LIBRARY void upc_atomic_relaxed(upcr_pts domain, void *fetch, int op, upcr_pts target,
                                     const void *a, const void *b) {
  operate(domain, fetch, op, target, a, b, "upc_atomic_relaxed");
}

UPCR_LIBRARY void upc_atomic_strict(upcr_pts domain, void *fetch, int op, upcr_pts target,
                                    const void *a, const void *b) {
  upcr_strict_fence();
  operate(domain, fetch, op, target, a, b, "upc_atomic_strict");
  upcr_strict_fence();
}

static int is_fast(int type, int ops, upcr_pts p) {
  int number = number_of(type);
  if (number < 0 || (ops & ~types[number].ops) != 0) return UPC_ATOMIC_PERFORMANCE_NOT_FAST;
#ifndef __x86_64__
  if (type == UPC_PTS) return UPC_ATOMIC_PERFORMANCE_NOT_FAST;
#endif
  return p.addr % types[number].size == 0 ? UPC_ATOMIC_PERFORMANCE_FAST
                                          : UPC_ATOMIC_PERFORMANCE_NOT_FAST;
}
UPCR_LIBRARY int upc_atomic_isfast(int type, int ops, upcr_pts p) { return is_fast(type, ops, p); }
UPCR_LIBRARY int upc_atomic_query(int type, int ops, upcr_pts p) { return is_fast(type, ops, p); }

/* Bytes of an operation's value, as events report them to a performance tool (inst_library.c). */
unsigned long upcr_domain_size(upcr_pts p) {
  int number = number_of(check(p, "an atomic operation")->type);
  return types[number].size;
}
