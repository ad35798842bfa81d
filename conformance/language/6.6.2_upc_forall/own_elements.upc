// threads: 1 2 3 4 7
// Loops over own elements give what the general form gives: values, the loop's variable, and who ran what.
#include <upc_relaxed.h>
#include <stdio.h>
#define N 97
shared int c[N * THREADS], c2[N * THREADS];
shared [5] int b[5 * 7 * THREADS], b2[5 * 7 * THREADS];
shared [6] double m[2 * THREADS][3];
shared [3] double rows[4 * THREADS][3];
shared struct { int k; double d[2]; } st[N * THREADS];
shared int errors;
int failed;
#define CHECK(x) do { if (!(x)) { failed++; printf("thread %d line %d: %s\n", MYTHREAD, __LINE__, #x); } } while (0)
static int owner(int i) { return (i % THREADS + THREADS) % THREADS; }
static void nested(int n) { int j; upc_forall (j = 0; j < n; j++; j) c2[j] = 100 + j; CHECK(j == n); }
int main(void)
{
    int i, k, count, limit = N * THREADS - 3, off = 2;
    unsigned u; long l; size_t z; short s;
    for (k = -20; k < 20; k++) {
        for (limit = -5; limit < 30; limit += 7) {
            count = 0;
            upc_forall (i = k; i < limit; i++; i) { CHECK(owner(i) == MYTHREAD); count++; }
            CHECK(i == (limit > k ? limit : k));
            { int want = 0, j; for (j = k; j < limit; j++) want += owner(j) == MYTHREAD; CHECK(count == want); }
            count = 0;
            upc_forall (i = k; i <= limit; i += 1; i - 3) { CHECK(owner(i - 3) == MYTHREAD); if (i & 1) continue; count++; }
            CHECK(i == (limit >= k ? limit + 1 : k));
            { int want = 0, j; for (j = k; j <= limit; j++) want += owner(j - 3) == MYTHREAD && !(j & 1); CHECK(count == want); }
        }
    }
    for (k = 0; k < 12; k++) {
        for (limit = 0; limit < 5 * 7 * THREADS - 4; limit += 3) {
            count = 0;
            upc_forall (i = k; i < limit; ++i; &b[i]) { CHECK(upc_threadof(&b[i]) == MYTHREAD); b[i] = i; count++; }
            CHECK(i == (limit > k ? limit : k));
            { int want = 0, j; for (j = k; j < limit; j++) want += j / 5 % THREADS == MYTHREAD; CHECK(count == want); }
            upc_forall (u = k; u < limit; u = u + 1; &b[u + 3]) { CHECK(upc_threadof(&b[u + 3]) == MYTHREAD); b2[u + 3] = b[u + 3]; }
            CHECK(u == (limit > k ? limit : k));
        }
    }
    upc_barrier;
    upc_forall (i = 0; i < N * THREADS; i++; &c[i]) c[i] = 3 * i;
    upc_forall (l = 0; l < N * THREADS - 2; l++; &c[l + off]) { c2[l + off] = c[l + off] + c[off + l]; }
    upc_barrier;
    for (i = 0; i < N * THREADS; i++) { CHECK(c[i] == 3 * i); if (i > 1) CHECK(c2[i] == 6 * i); }
    upc_barrier;
    upc_forall (z = 0; z < sizeof(c) / sizeof(c[0]); z++; z) c[z]++;
    upc_forall (s = 1; s < N; s++; &c[s - 1]) c[s - 1] += 2;
    upc_barrier;
    for (i = 0; i < N * THREADS; i++) CHECK(c[i] == 3 * i + 1 + (i < N - 1 ? 2 : 0));
    upc_barrier;
    { shared int *p = c + 3, *q = &c[3], *r = c + 4; shared [5] int *pb = &b[7], *qb = &b2[7];
      upc_forall (i = 0; i < N - 4; i++; &p[i]) { p[i] = i; CHECK(upc_threadof(p + i) == MYTHREAD); CHECK(upc_threadof(&r[i]) == (MYTHREAD + 1) % THREADS); q[i] += i; k = r[i]; *(p + i) += 1; }
      upc_barrier;
      for (i = 0; i < N - 4; i++) CHECK(c[i + 3] == 2 * i + 1);
      upc_barrier;
      upc_forall (i = -2; i < 20 * THREADS; i++; pb + i) { pb[i] = i; qb[i] = pb[i] + 1; CHECK(upc_threadof(&b[i + 7]) == MYTHREAD); }
      upc_barrier;
      for (i = -2; i < 20 * THREADS; i++) { CHECK(b[i + 7] == i); CHECK(b2[i + 7] == i + 1); }
      upc_barrier;
    }
    upc_forall (i = 0; i < 2 * THREADS; i++; &m[i][0]) for (k = 0; k < 3; k++) { m[i][k] = 10 * i + k; CHECK(upc_threadof(&m[i][k]) == MYTHREAD); }
    upc_forall (int r = 1; r < 4 * THREADS; r++; &rows[r][1]) for (k = 0; k < 3; k++) { rows[r][k] = 10 * r + k; CHECK(upc_threadof(&rows[r][k]) == MYTHREAD); }
    upc_barrier;
    for (i = 0; i < 2 * THREADS; i++) for (k = 0; k < 3; k++) CHECK(m[i][k] == 10 * i + k);
    for (i = 1; i < 4 * THREADS; i++) for (k = 0; k < 3; k++) CHECK(rows[i][k] == 10 * i + k);
    upc_forall (i = 0; i < N * THREADS; i++; &st[i]) { st[i].k = i; st[i].d[1] = st[i].k * 2; st[i].d[0]++; st[i].k++; }
    upc_barrier;
    for (i = 0; i < N * THREADS; i++) { CHECK(st[i].k == i + 1); CHECK(st[i].d[1] == 2 * i); CHECK(st[i].d[0] == 1); }
    upc_barrier;
    /* Inside of an active one, every thread runs all iterations. */
    upc_forall (i = 0; i < THREADS; i++; i) { int j, n = 0; upc_forall (j = 0; j < 10; j++; j) n++; CHECK(n == 10); nested(5); CHECK(j == 10); }
    upc_barrier;
    { int n = 0; upc_forall (i = 0; i < 10 * THREADS; i++; i) n++; CHECK(n == 10); }
    { int n = 0; upc_forall (i = 0; i < 10; i++; continue) upc_forall (k = 0; k < THREADS; k++; k) n++; CHECK(n == 10); }
    upc_lock_t *lock = upc_all_lock_alloc();
    upc_lock(lock); errors += failed; upc_unlock(lock);
    upc_barrier;
    if (MYTHREAD == 0 && errors == 0) printf("OK\n");
    return errors != 0;
}
