// threads: 1 2 3 4 7
// warns: 'goto' out of a upc_forall
// Headers of every form: several indices, down, steps, types of the index, nested, empty, all affinities.
#include <upc_relaxed.h>
#include "check.h"
#define N 10
#define FOR(i, n) upc_forall (int i = 0; i < (n); i++; i)
shared double A[N][N * THREADS];
shared [N] double B[THREADS][N];
shared [N * N] int C[THREADS][N][N];
shared int cnt[THREADS];

int main(int argc, char **argv, char **envp)
{
    int i, j, k, n = 0;
    FOR(q, N * THREADS) n++;
    CHECK_EQUAL(n, N);
    upc_forall (i = 0, j = N * THREADS; i < j; i++, j--; i)
        n++;
    for (i = 0; i < N; i++)
        upc_forall (j = 0; j < N * THREADS; j++; &A[i][j])
            A[i][j] = i * j;
    upc_forall (i = 0; i < THREADS; i++; &B[i][0])
        for (j = 0; j < N; j++)
            B[i][j] = i + j;
    upc_forall (i = 0; i < THREADS; i++; C[i])
        for (j = 0; j < N; j++)
            for (k = 0; k < N; k++)
                C[i][j][k] = i * j * k;
    upc_barrier;
    double s = 0;
    for (i = 0; i < N; i++)
        for (j = 0; j < N * THREADS; j++)
            s += A[i][j];
    CHECK(s == 45.0 * (N * THREADS) * (N * THREADS - 1) / 2);
    for (i = 0; i < THREADS; i++)
        CHECK(B[i][3] == i + 3 && C[i][2][3] == 6 * i);
    n = 0;
    upc_forall (i = N * THREADS - 1; i >= 0; i -= 2; i)
        n++;
    int m = 0;
    for (i = N * THREADS - 1; i >= 0; i -= 2)
        if (i % THREADS == MYTHREAD)
            m++;
    CHECK_EQUAL(n, m);
    n = 0;
    upc_forall (i = 0; i < 20; i++; i - 10)
        n += ((i - 10) % THREADS + THREADS) % THREADS == MYTHREAD;
    m = 0;
    for (i = -10; i < 10; i++)
        m += ((i % THREADS) + THREADS) % THREADS == MYTHREAD;
    CHECK_EQUAL(n, m);
    n = 0;
    upc_forall (i = 0; i < N * THREADS; i++; continue)
        n++;
    CHECK_EQUAL(n, N * THREADS);
    n = 0;
    upc_forall (i = 0; i < N * THREADS; i++;)
        n++;
    CHECK_EQUAL(n, N * THREADS);
    n = 0;
    i = 0;
    upc_forall (; i < 5;;) {
        n++;
        i++;
    }
    CHECK_EQUAL(n, 5);
    n = 0;
    i = 0;
    upc_forall (;; i++; i) {
        if (i < 7) {
            n++;
            continue;
        }
        goto out;
    }
out:;
    n = 0;
    upc_forall (i = 0; i < 4 * THREADS; i++; i)
        upc_forall (j = 0; j < 3; j++; j)
            n++;
    CHECK_EQUAL(n, 12);
    n = 0;
    for (i = 0; i < 3; i++)
        upc_forall (j = 0; j < 2 * THREADS; j++; (i * THREADS) / (THREADS) + j)
            n++;
    CHECK_EQUAL(n, 6);
    upc_forall (i = 0; i < THREADS; i++; &cnt[i])
        ;
    upc_forall (i = 0; i < THREADS; i++; i) {
    }
    upc_forall (shared int *p = cnt; p < cnt + THREADS; p++; p)
        *p = 7;
    upc_forall (long long q = 0; q < THREADS; ++q; q)
        cnt[q]++;
    upc_forall (unsigned char q = 0; q < THREADS; q += 1; &cnt[q])
        cnt[q]++;
    CHECK_EQUAL(cnt[MYTHREAD], 9);
    upc_forall (size_t q = 0; q < THREADS; q++; q) {
        if (q == 0)
            continue;
        else
            cnt[q]++;
        switch (q) {
        case 1:
            cnt[q]++;
            break;
        default:
            break;
        }
    }
    if (MYTHREAD == 1)
        CHECK_EQUAL(cnt[1], 11);
    upc_forall (i = 0; i < THREADS; i++; i % THREADS)
        if (i == MYTHREAD)
            cnt[i] = 1;
        else
            cnt[i] = 100;
    upc_barrier;
    for (i = 0; i < THREADS; i++)
        CHECK_EQUAL(cnt[i], 1);
    return finish();
}
