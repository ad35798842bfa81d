// threads: 1 2
// flags: -Werror -Wall -Wextra -pedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wredundant-decls -Wcast-qual -Wcast-align -Wpointer-arith -Wbad-function-cast -Wnested-externs -Wunused -O2
// A program without a fault stays without a warning: the C compiler says nothing about what it is made into.
#include <upc.h>
#include <upc_strict.h>
#include <stdio.h>
#include <stddef.h>
#define N 16
typedef struct { int a; double b; shared int *p; unsigned f : 3; } rec;
shared int a[N * THREADS];
shared [4] double b[N * THREADS];
relaxed shared [] char text[10];
shared rec recs[THREADS];
strict shared int flag;
shared int scalar = 3;
static int touched;
static shared int *sp = &a[2];
shared long init[THREADS] = {1};
static long total(shared int *p, long n);
static long total(shared int *p, long n)
{
  long t = 0;
  for (long i = 0; i < n; i++)
    t += p[i];
  return t;
}
int main(void)
{
  int i;
  long j;
  static shared int once;
  shared int *q;
  rec mine = {1, 2.0, &a[1], 3};
  upc_forall (i = 0; i < N * THREADS; i++; &a[i])
    a[i] = i;
  upc_forall (j = 0; j < N * THREADS; j++; &b[j])
    b[j] = (double)j + b[j];
  upc_forall (i = 0; i < THREADS; i++; i)
    recs[i] = mine;
  upc_forall (i = 0; i < THREADS; i++; continue)
    upc_forall (j = 0; j < THREADS; j++; j)
      touched++;
  recs[MYTHREAD].a++;
  recs[MYTHREAD].b *= 2.0;
  upc_barrier;
  flag++;
  flag = flag + 1;
  if (flag)
    flag -= 1;
  b[0] = 1.0;
  once = scalar;
  q = sp + 1;
  q++;
  *q += 1;
  *q++ = 4;
  text[0] = 'x';
  if (q != NULL && q > sp && q - sp > 1)
    touched += total(a, N) > 0;
  upc_memput(&a[MYTHREAD], &i, sizeof i);
  upc_barrier 1;
  upc_notify;
  upc_wait;
  upc_fence;
  ptrdiff_t d = q - sp;
  int *l = (int *)&a[MYTHREAD];
  *l = (int)d;
  upc_barrier;
  if (MYTHREAD == 0)
    puts(init[0] == 1 && once == 3 && b[0] > 0.0 && touched ? "OK" : "wrong");
  return q ? 0 : 2;
}
