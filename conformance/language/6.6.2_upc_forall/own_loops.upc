// threads: 1 2 3 4 7
// Loops over own elements whose variable, bound or array is not what it seems: changed in the body,
// aliased, shadowed, of narrow or unsigned type.
#include <upc_relaxed.h>
#include <stdlib.h>
#include "check.h"
shared int a[20 * THREADS];
shared [3] int b[21 * THREADS];
shared int hits[40 * THREADS];
int gi, gn;
shared int sn;
volatile int vn = 5;
static int calls;

static void clear(void)
{
    int k;
    upc_barrier;
    for (k = MYTHREAD; k < 40 * THREADS; k += THREADS)
        hits[k] = 0;
    upc_barrier;
}

static void once(int from, int to, int step, int line)
{
    int k, n = 0;
    upc_barrier;
    for (k = from; k < to; k += step)
        if (hits[k] != 1)
            n++;
    for (k = 0; k < 40 * THREADS; k++)
        n -= hits[k];
    if (n != -(to > from ? (to - from + step - 1) / step : 0)) {
        printf("line %d: %d\n", line, n);
        check_failed++;
    }
    clear();
}

static int bound(void)
{
    calls++;
    return 10 * THREADS;
}

static void touch(int *p) { (void)p; }

static void bump(void) { gi++; }

int main(void)
{
    int i, n, k, *pi = &i;
    upc_forall (i = 0; i < 20 * THREADS; i++; &a[i]) {
        hits[i]++;
        if (i % 3 == 0)
            i++;
    }
    upc_barrier;
    for (k = 0, n = 0; k < 20 * THREADS; k++)
        n += hits[k];
    CHECK(n > 0);
    clear();
    n = 20 * THREADS;
    upc_forall (i = 0; i < n; i++; &a[i]) {
        hits[i]++;
        n = 20 * THREADS;
    }
    once(0, 20 * THREADS, 1, __LINE__);
    n = 10 * THREADS;
    upc_forall (i = 0; i < n; i++; i) {
        hits[i]++;
        if (n < 0)
            n = 20 * THREADS;
    }
    once(0, 10 * THREADS, 1, __LINE__);
    upc_forall (i = 0; i < bound(); i++; &a[i])
        hits[i]++;
    CHECK(calls >= 1);
    once(0, 10 * THREADS, 1, __LINE__);
    upc_forall (gi = 0; gi < 20 * THREADS; gi++; &a[gi]) {
        hits[gi]++;
        a[gi] = gi;
    }
    CHECK_EQUAL(gi, 20 * THREADS);
    once(0, 20 * THREADS, 1, __LINE__);
    upc_forall (*pi = 0; *pi < 20 * THREADS; (*pi)++; &a[*pi])
        hits[*pi]++;
    once(0, 20 * THREADS, 1, __LINE__);
    upc_forall (i = 0; i < 20 * THREADS; i++; &a[i]) {
        int i = 7;
        touch(&i);
        CHECK_EQUAL(i, 7);
    }
    upc_forall (i = 0; i < 20 * THREADS; i++; &a[i]) {
        hits[i]++;
        {
            double a = 1;
            CHECK(a == 1);
        }
    }
    once(0, 20 * THREADS, 1, __LINE__);
    upc_forall (i = 0; i <= 20 * THREADS - 1; i++; &a[i])
        hits[i]++;
    once(0, 20 * THREADS, 1, __LINE__);
    upc_forall (i = 0; i != 20 * THREADS; i++; &a[i])
        hits[i]++;
    once(0, 20 * THREADS, 1, __LINE__);
    upc_forall (i = 0; 20 * THREADS > i; i++; &a[i])
        hits[i]++;
    once(0, 20 * THREADS, 1, __LINE__);
    upc_forall (i = 20 * THREADS - 1; i >= 0; i--; &a[i])
        hits[i]++;
    once(0, 20 * THREADS, 1, __LINE__);
    upc_forall (i = 20 * THREADS; i > 0; i--; &a[i - 1])
        hits[i - 1]++;
    once(0, 20 * THREADS, 1, __LINE__);
    upc_forall (i = 3; i < 17 * THREADS; i += 4; &a[i])
        hits[i]++;
    once(3, 17 * THREADS, 4, __LINE__);
    k = 5;
    upc_forall (i = 2; i < 19 * THREADS; i += k; &b[i])
        hits[i]++;
    once(2, 19 * THREADS, 5, __LINE__);
    upc_forall (i = 1; i < 21 * THREADS; i = i + 2; &b[i])
        hits[i]++;
    once(1, 21 * THREADS, 2, __LINE__);
    upc_forall (i = 0; i < 7 * THREADS; i++; &b[3 * i])
        hits[i]++;
    once(0, 7 * THREADS, 1, __LINE__);
    upc_forall (i = 0; i < 7 * THREADS; i++; &b[3 * i + 2])
        hits[i]++;
    once(0, 7 * THREADS, 1, __LINE__);
    upc_forall (i = 5; i < 5; i++; &a[i])
        hits[i]++;
    once(5, 5, 1, __LINE__);
    upc_forall (i = 9; i < 2; i++; &a[i])
        hits[i]++;
    once(9, 2, 1, __LINE__);
    upc_forall (unsigned char c = 0; c < 3 * THREADS; c++; &a[c])
        hits[c]++;
    once(0, 3 * THREADS, 1, __LINE__);
    upc_forall (unsigned u = 0; u < 20u * THREADS; u++; &b[u])
        hits[u]++;
    once(0, 20 * THREADS, 1, __LINE__);
    upc_forall (short s = -2; s < 5 * THREADS; s++; &a[s + 2])
        hits[s + 2]++;
    once(0, 5 * THREADS + 2, 1, __LINE__);
    upc_forall (long l = 0; l < sizeof(a) / sizeof(a[0]); l++; &a[l])
        hits[l]++;
    once(0, 20 * THREADS, 1, __LINE__);
    upc_forall (size_t z = 0; z < (size_t)(20 * THREADS); ++z; z)
        hits[z]++;
    once(0, 20 * THREADS, 1, __LINE__);
    upc_forall (unsigned long z = 20 * THREADS; z-- > 0;; &a[z])
        hits[z]++;
    once(0, 20 * THREADS, 1, __LINE__);
    upc_forall (i = -3; i < 20 * THREADS - 3; i++; &a[i + 3])
        hits[i + 3]++;
    once(0, 20 * THREADS, 1, __LINE__);
    upc_forall (i = 0; i < 19 * THREADS; i++; &a[i + THREADS]) {
        hits[i]++;
        CHECK_EQUAL(upc_threadof(&a[i]), MYTHREAD);
    }
    once(0, 19 * THREADS, 1, __LINE__);
    upc_forall (i = 0; i < 20 * THREADS; i++; &a[20 * THREADS - 1 - i])
        hits[i]++;
    once(0, 20 * THREADS, 1, __LINE__);
    if (MYTHREAD == 0)
        sn = 10 * THREADS;
    upc_barrier;
    upc_forall (i = 0; i < sn; i++; &a[i])
        hits[i]++;
    once(0, 10 * THREADS, 1, __LINE__);
    upc_forall (i = 0; i < vn; i++; &a[i])
        hits[i]++;
    once(0, 5, 1, __LINE__);
    upc_forall (i = 0; i < 20 * THREADS; i++; &a[i]) {
        switch (i % 4) {
        case 0:
            hits[i]++;
            break;
        case 1:
            hits[i]++;
            continue;
        default:
            for (k = 0; k < 9; k++)
                if (k == 4)
                    break;
            hits[i]++;
        }
    }
    once(0, 20 * THREADS, 1, __LINE__);
    upc_forall (i = 0; i < 20 * THREADS; i++; &a[i]) {
        if (a[i] < 0)
            continue;
        else
            hits[i]++;
        do {
            if (k)
                break;
        } while (1);
    }
    once(0, 20 * THREADS, 1, __LINE__);
    upc_forall (i = 0; i < 20 * THREADS; i++; &a[i])
        for (k = 0; k < 3; k++) {
            if (k)
                continue;
            hits[i]++;
        }
    once(0, 20 * THREADS, 1, __LINE__);
    upc_forall (i = 0; i < 20 * THREADS; i++; &a[i])
        a[i] = i;
    upc_barrier;
    upc_forall (i = 0; i < 20 * THREADS - 1; i++; &a[i]) {
        hits[i] += a[i + 1] - a[i];
    }
    once(0, 20 * THREADS - 1, 1, __LINE__);
    upc_forall (i = 1; i < 20 * THREADS; i++; &a[i]) {
        int *own = (int *)&a[i];
        hits[i] += *own == a[i] && own[0] == i && a[i - 1] == i - 1;
    }
    once(1, 20 * THREADS, 1, __LINE__);
    upc_forall (i = 0; i < 20 * THREADS; i++; &a[i]) {
        shared int *p = &a[i];
        (*p)++;
        a[i]--;
        ++a[i];
        a[i] -= 1;
        hits[i] += *p == i;
    }
    once(0, 20 * THREADS, 1, __LINE__);
    shared int *pa = a + THREADS;
    upc_forall (i = 0; i < 10 * THREADS; i++; &pa[i]) {
        hits[i]++;
        CHECK_EQUAL(pa[i], i + THREADS);
    }
    once(0, 10 * THREADS, 1, __LINE__);
    pa = a + 1;
    upc_forall (i = 0; i < 10 * THREADS; i++; pa + i) {
        hits[i]++;
        CHECK_EQUAL(upc_threadof(&pa[i]), MYTHREAD);
    }
    once(0, 10 * THREADS, 1, __LINE__);
    pa = a;
    upc_forall (i = 0; i < 10 * THREADS; i++, pa++; pa)
        hits[i] += *pa == i;
    CHECK(pa == a + 10 * THREADS);
    once(0, 10 * THREADS, 1, __LINE__);
    shared [3] int *pb = b + 1;
    upc_forall (i = 0; i < 20 * THREADS; i++; &pb[i]) {
        hits[i] += upc_threadof(&b[i + 1]) == MYTHREAD;
        pb[i] = i;
    }
    once(0, 20 * THREADS, 1, __LINE__);
    for (i = 0; i < 20 * THREADS; i++)
        CHECK_EQUAL(b[i + 1], i);
    return finish();
}
