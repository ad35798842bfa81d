// threads: 1 2
// flags: -fopenmp -O2 -Wall
// OpenMP within UPC threads, and pragmas about loops.
#include <upc.h>
#include <omp.h>
#include "check.h"
shared int a[8 * THREADS];
shared [8] double b[8 * THREADS];
#pragma omp declare simd
static inline int f(int x) { return x + 1; }
static int t;
#pragma omp threadprivate(t)
int main(void)
{
  int i, sum = 0; double s = 0;
  for (i = 0; i < 8; i++) a[i * THREADS + MYTHREAD] = f(i);
  upc_barrier;
#pragma omp parallel for reduction(+:sum) num_threads(2)
  for (i = 0; i < 8 * THREADS; i++)
    sum += a[i];
  CHECK_EQUAL(sum, 36 * THREADS);
#pragma omp parallel num_threads(2)
  {
#pragma omp for
    for (int k = 0; k < 8; k++)
      b[8 * MYTHREAD + k] = k;
#pragma omp critical
    s += b[8 * MYTHREAD + 2];
#pragma omp atomic
    sum += a[0];
#pragma omp single
    { upc_fence; }
  }
  CHECK(s == 4 && sum == 36 * THREADS + 2 && t == 0);
  upc_barrier;
#pragma GCC unroll 4
  for (i = 0; i < 8; i++) sum += a[i];
#pragma GCC ivdep
  upc_forall (i = 0; i < 8 * THREADS; i++; &a[i]) a[i] += 1;
#pragma GCC unroll 2
  upc_forall (i = 0; i < 8 * THREADS; i++; i) a[i] -= 1;
#pragma omp simd
  for (int k = 0; k < 4; k++) { shared int *p = &a[0], *q = p + 1; sum += p == q; }
  upc_barrier;
  CHECK_EQUAL(a[0], 1);
  return finish();
}
