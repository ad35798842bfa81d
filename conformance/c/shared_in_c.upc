// threads: 1 2 3
// Shared data among the constructs of C and its GNU extensions: in macros, statement expressions, _Generic, bit fields,
// vectors, packed structures, compound literals, function pointers, variable arguments and the like.
#include <upc.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"
#define A(i) a[(i)]
#define NEXT(i) A(((i) + 1) % (4 * THREADS))
#define MAX(x, y) ((x) > (y) ? (x) : (y))
#define SWAP(x, y) do { __typeof__(x) swap_ = (x); (x) = (y); (y) = swap_; } while (0)
#define SAFEMAX(x, y) ({ __typeof__(x) x_ = (x); __typeof__(y) y_ = (y); x_ > y_ ? x_ : y_; })
#define KIND(x) _Generic((x), int: 1, double: 2, shared int *: 3, shared [4] int *: 4, int *: 5, default: 6)
shared int a[4 * THREADS];
shared [4] double b[4 * THREADS];
shared double d;
shared int s;
shared [] int *shared sp;
shared long double ld;
shared _Bool flag;
shared __int128 wide;
shared double _Complex z[THREADS];
shared float _Complex zf;

typedef float v4 __attribute__((vector_size(16)));
shared v4 vec[THREADS];
shared struct bits { unsigned lo : 3, hi : 13; int : 0; signed neg : 5; } bits[THREADS];
struct flex { int n; shared int *p; double tail[]; };
struct packed { char c; int i; shared int *p; } __attribute__((packed));
shared struct packed packs[THREADS];
shared struct { char c; double x __attribute__((aligned(64))); } wide_aligned[THREADS];
#pragma pack(push, 1)
typedef struct { char c; int i; } pragma_packed;
#pragma pack(pop)
shared pragma_packed pps[THREADS];
_Static_assert(upc_blocksizeof(b) == 4, "block");
_Static_assert(sizeof(struct packed) == 21, "packed");
_Static_assert(offsetof(struct flex, p) == 8, "");

struct node { int v; shared struct node *next; };
shared struct node nodes[THREADS];
struct table { const char *name; shared int *p; struct { shared [] int *q; int k; } in[2]; };

shared int *identity(shared int *p) { return p; }
typedef shared int *(*fun)(shared int *);
fun funs[] = { identity, [2] = identity };
shared int *(*const more[2])(shared int *) = { identity };
static inline int sum(shared int *p, int n) { int t = 0; while (n--) t += *p++; return t; }
int kr(p, n) shared int *p; int n; { return p[n]; }
static int many(int n, ...)
{
  va_list l; int t = 0;
  va_start(l, n);
  while (n--) { shared int *p = va_arg(l, shared int *); t += *p; }
  va_end(l);
  return t;
}
_Thread_local int tl = 3;
static __thread shared int *tp;
int constructed;
__attribute__((constructor)) static void before(void) { constructed = 7; }
static int cmp(const void *x, const void *y) { return *(const int *)x - *(const int *)y; }

int main(void)
{
  int i;
  upc_forall (i = 0; i < 4 * THREADS; i++; &a[i]) a[i] = i;
  upc_forall (i = 0; i < 4 * THREADS; i++; &b[i]) b[i] = i * 0.5;
  s = 0; 
  upc_barrier;
  CHECK_EQUAL(MAX(A(1), NEXT(0)), 1);
  CHECK_EQUAL(SAFEMAX(a[2], a[3]), 3);
  CHECK(KIND(a[0]) == 1 && KIND(b[1]) == 2 && KIND(&a[1]) == 3 && KIND((int *)&a[MYTHREAD]) == 5);
  typeof(a[0]) x = a[1]; __typeof__(b[2]) y = b[2]; typeof(&a[0]) pa = &a[1]; __auto_type q = &a[2];
  CHECK(x == 1 && y == 1.0 && *pa == 1 && *q == 2);
  upc_barrier;
  if (MYTHREAD == 0) { SWAP(a[0], a[1]); CHECK(a[0] == 1 && a[1] == 0); SWAP(a[0], a[1]); }
  upc_barrier;
  CHECK_EQUAL(({ int t = a[3]; t + a[2]; }), 5);
  struct node *np = &(struct node){.v = 3, .next = &nodes[MYTHREAD]};
  nodes[MYTHREAD] = (struct node){.v = MYTHREAD, .next = &nodes[(MYTHREAD + 1) % THREADS]};
  upc_barrier;
  CHECK_EQUAL(nodes[MYTHREAD].next->v, (MYTHREAD + 1) % THREADS);
  CHECK_EQUAL(np->next->next->v, (MYTHREAD + 1) % THREADS);
  struct table t = {.name = "t", .p = &a[3], .in = {[1] = {.k = 4}, [0].q = (shared [] int *)&a[0]}};
  CHECK(*t.p == 3 && t.in[0].q == (shared [] int *)&a[0] && t.in[1].q == NULL && t.in[1].k == 4);
  { int n = 3; shared int *vla[n][2]; for (int j = 0; j < n; j++) vla[j][1] = &a[j]; CHECK(*vla[2][1] == 2 && sizeof vla == 96); }
  struct flex *f = malloc(sizeof *f + 2 * sizeof(double)); f->p = &a[1]; f->tail[1] = b[3]; CHECK(*f->p == 1 && f->tail[1] == 1.5); free(f);
  bits[MYTHREAD].lo = 5; bits[MYTHREAD].hi = 1000; bits[MYTHREAD].neg = -3; bits[MYTHREAD].lo++; bits[MYTHREAD].hi += 24;
  upc_barrier;
  { int o = (MYTHREAD + 1) % THREADS; CHECK(bits[o].lo == 6 && bits[o].hi == 1024 && bits[o].neg == -3); }
  z[MYTHREAD] = MYTHREAD + 2.0i; __real__ z[MYTHREAD] += 1; __imag__ z[MYTHREAD] = 5;
  if (MYTHREAD == 0) { ld = 1.25L; flag = 17; wide = (__int128)1 << 100; zf = 1 + 2.0fi; }
  vec[MYTHREAD] = (v4){1, 2, 3, MYTHREAD};
  packs[MYTHREAD].i = 4; packs[MYTHREAD].p = &a[2]; pps[MYTHREAD].i = MYTHREAD; wide_aligned[MYTHREAD].x = 2.5;
  upc_barrier;
  { int o = (MYTHREAD + 1) % THREADS;
    double _Complex w = z[o]; CHECK(__real__ w == o + 1 && __imag__ z[o] == 5 && -~z[o] != z[o]);
    CHECK(ld == 1.25L && flag == 1 && (int)(wide >> 98) == 4 && __imag__ zf == 2);
    v4 v = vec[o]; CHECK(v[3] == o && vec[o][2] == 3); v = vec[o] + vec[o]; CHECK(v[1] == 4);
    CHECK(*packs[o].p == 2 && packs[o].i == 4 && pps[o].i == o && wide_aligned[o].x == 2.5); }
  int in = 0;
  __asm__ volatile ("movl %1, %0" : "=r" (in) : "r" (a[3]));
  CHECK_EQUAL(in, 3);
  int nested(int k) { return a[k] + sum(&a[0], 3); }
  CHECK_EQUAL(nested(2), 5);
  CHECK_EQUAL(kr(a, 2), 2);
  CHECK_EQUAL(kr(&a[1], 2), 3);
  CHECK_EQUAL(many(3, &a[1], a + 2, pa), 4);
  CHECK_EQUAL(*funs[2](&a[3]), 3); CHECK_EQUAL(*(*more)(funs[0](a + 1)), 1); CHECK(more[1] == 0);
  shared int *(*fp)(shared int *) = i ? identity : 0; CHECK(*fp(a) == 0 && *(**fp)(a + 1) == 1);
  tl++; tp = &a[2]; CHECK(tl == 4 && *tp == 2 && constructed == 7);
  shared int **al = __builtin_alloca(2 * sizeof *al); al[1] = &a[3]; CHECK_EQUAL(**(al + 1), 3);
  void *targets[] = {&&one, &&two}; int times = 0;
 one: times += a[1]; goto *targets[times < 3 ? 0 : 1];
 two: CHECK_EQUAL(times, 3);
  int copy[4]; upc_memget(copy, b, 4); for (i = 0; i < 4; i++) copy[i] = a[3 - i]; qsort(copy, 4, sizeof *copy, cmp); CHECK(copy[0] == 0 && copy[3] == 3);
  int got = 0; upc_forall (i = 0; i < 4 * THREADS; i++; i) { switch (a[i] % 4) { case 0: got += 1; break; case 1 ... 2: got += 10; break; default: got += 100; } }
  int want = 0; for (i = MYTHREAD; i < 4 * THREADS; i += THREADS) want += i % 4 == 0 ? 1 : i % 4 == 3 ? 100 : 10; CHECK_EQUAL(got, want);
  CHECK_EQUAL((s, a[1], a[2]), 2); i = (a[1], a[3]); CHECK_EQUAL(i, 3);
  shared int *restrict rp = a; CHECK(rp[1] == 1 && sizeof(rp) == sizeof(shared void *) && _Alignof(shared int *) == 8 && __alignof__(a[0]) == 4);
  CHECK(a[1] ? a[2] ?: 1 : 0); CHECK(!a[0] && ~a[0] == -1 && -a[1] == -1 && +a[2] == 2);
  return finish();
}
