// threads: 1 3
// Shared data in macros, digraphs, names beyond ASCII, setjmp, signal handlers, #line, unions, arrays of pointers and
// initialisers, with all operators on what a pointer-to-shared points to.
#include <upc.h>
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>
#include <getopt.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <uchar.h>
#if __has_include(<upc_collective.h>)
#include <upc_collective.h>
#endif
#include "check.h"
%:define DIGRAPH(x) x%:%:1
#define STR_(x) #x
#define STR(x) STR_(x)
#define CALL(f, ...) f(__VA_ARGS__)
#define APPLY(m, ...) m(__VA_ARGS__)
#define GET(p, f) ((p)->f)
#define ARR(n) arr##n
#define FOR_OWN(i, n) upc_forall (i = 0; i < (n); i++; i)
#define DECLARE(t, n) shared t n<:THREADS:>
#define BARRIER upc_barrier
#define LONG_LINE(i) arr1[i] = \
   arr1[i] + \
   1
DECLARE(int, arr1);
shared int größe[THREADS], \u00e9t\u00e9;
shared struct { char name[8]; int v[3]; } recs[THREADS];
shared int m[THREADS][3][4];
static shared int *shared ps[THREADS];
static jmp_buf env;
static volatile sig_atomic_t got;
static void handler(int s) { got = s; arr1[MYTHREAD]++; }
typedef shared [] char *string_t;
typedef struct list { struct list *next; string_t s; } list_t;
enum { A = 3 > 0, B = sizeof(shared int *), C = UPC_MAX_BLOCK_SIZE > 1 ? 5 : 6 };
_Atomic int at;
static const char *const names[] = { [0 ... 2] = "n" STR(MYTHREAD), "x" };
int counter[__COUNTER__ + 1];
static int fails(int n) { if (n == 0) { arr1[MYTHREAD] = 77; longjmp(env, 3); } return fails(n - 1); }
shared void *opaque(shared void *p) { return p; }
static struct { shared int *p; int n; } const fixed = { &arr1[0], sizeof(int) };
static shared int *initialised[3] = { arr1, [2] = &arr1[0] };
void takes_array(shared int p[], int n) { p[n] += 1; }
void takes_2d(shared int (*p)[3][4], int n) { p[n][1][2] = n; }
int main(int argc, char **argv, char **envp)
<%
  int i = 0, 数 = 3;
  _Pragma("GCC diagnostic ignored \"-Wunused-variable\"")
  arr1[MYTHREAD] = 1;
  upc_barrier;
  if ((i = setjmp(env)) == 0) fails(5);
  CHECK(i == 3 && arr1[MYTHREAD] == 77);
  signal(SIGUSR1, handler); raise(SIGUSR1); CHECK(got == SIGUSR1 && arr1[MYTHREAD] == 78);
  LONG_LINE(MYTHREAD); CHECK_EQUAL(arr1[MYTHREAD], 79);
  größe[MYTHREAD] = 数; if (!MYTHREAD) \u00e9t\u00e9 = 4;
  BARRIER; CHECK(größe[(MYTHREAD + 1) % THREADS] == 3 && été == 4);
  CHECK(envp != NULL && argv[argc] == NULL && A && B == 16 && C == 5);
  atomic_fetch_add(&at, 2); at += 3; CHECK(atomic_load(&at) == 5);
#line 1000 "other name.c"
  CHECK(__LINE__ == 1000 && !strcmp(__FILE__, "other name.c")); arr1[MYTHREAD] = __LINE__;
#line 70 "shared_in_macros.upc"
  CHECK_EQUAL(arr1[MYTHREAD], 1000);
  CHECK(!strcmp(names[2], "nMYTHREAD") && sizeof counter == 4 && wcslen(L"é\x263a") == 2 && u'é' == 0xe9 && sizeof(U"a") == 8);
  recs[MYTHREAD].v[2] = MYTHREAD; recs[MYTHREAD].name[0] = 'a' + MYTHREAD; recs[MYTHREAD].name[1] = 0;
  m[MYTHREAD][2][3] = 5; (*(m + MYTHREAD))[1][1] = 6; *(*(m[MYTHREAD] + 1) + 2) = 7; 
  upc_barrier;
  { int o = (MYTHREAD + THREADS - 1) % THREADS; shared [] char *n = (shared [] char *)recs[o].name; CHECK(n[0] == 'a' + o && recs[o].v[2] == o && *recs[o].name == 'a' + o && sizeof recs[o].name == 8 && sizeof recs[o] == 20);
    shared int (*row)[3][4] = &m[o]; CHECK(1); CHECK(m[o][2][3] == 5 && m[o][1][1] == 6 && m[o][1][2] == 7 && sizeof m[0] == 48); 
    shared [] char *q = &recs[o].name[0]; CHECK(q - n == 0 && n + 1 == q + 1); }
  ps[MYTHREAD] = &arr1[MYTHREAD]; upc_barrier; CHECK_EQUAL(*ps[(MYTHREAD + 1) % THREADS], 1000); CHECK_EQUAL(ps[MYTHREAD][0], 1000);
  CHECK(fixed.p == arr1 && fixed.n == 4 && initialised[0] == initialised[2] && initialised[1] == NULL && initialised[2] == &arr1[0]);
  CHECK(opaque(&arr1[0]) == (shared void *)arr1 && (shared int *)opaque(NULL) == NULL);
  upc_barrier; if (MYTHREAD == 0) { takes_array(arr1, THREADS - 1); CHECK_EQUAL(arr1[THREADS - 1], 1001); } upc_barrier;
  struct { int x; shared int *p; } s[2] = {{1, arr1}, {.p = 0}}, *sp = s; CHECK(GET(sp, p) == arr1 && !sp[1].p && (sp++)->x == 1);
  union { shared int *p; long w[2]; } u = {.p = arr1}; CHECK(u.w[1] == 0 && (u.w[0] != 0));
  shared int *arrp[2][2] = {[1] = {arr1, &arr1[0]}}; CHECK(arrp[1][0] == *(arrp[1] + 1) && !arrp[0][1]);
  const shared int *cp = arr1; shared const int *cp2 = cp; shared int *const cc = arr1; volatile shared int *vp = arr1; CHECK(cp2 == cc && *vp == *cp);
  long d = (shared int *)arr1 + THREADS - arr1; CHECK_EQUAL(d, THREADS);
  int n = 0; FOR_OWN(i, 3 * THREADS) { if (i < THREADS) continue; n += APPLY(CALL, abs, -i); } 
  CHECK_EQUAL(n, 3 * MYTHREAD + 3 * THREADS - MYTHREAD);
  int t; for (t = 0; t < 3; ++t) { int *priv = (int *)&arr1[MYTHREAD]; *priv = t; do ; while (0); if (arr1[MYTHREAD] != t) break; else ; } CHECK_EQUAL(t, 3);
  register shared int *reg = &arr1[MYTHREAD]; *reg++ = 5; CHECK_EQUAL(reg[-1], 5); CHECK_EQUAL(*--reg, 5); CHECK_EQUAL((*reg)++, 5); CHECK_EQUAL(--*reg, 5); CHECK_EQUAL(*reg <<= 2, 20); CHECK_EQUAL(reg[0] %= 7, 6); CHECK_EQUAL(0[reg], 6);
  return finish();
%>
