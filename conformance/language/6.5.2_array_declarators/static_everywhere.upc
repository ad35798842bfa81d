// threads: 1 2 3 4 7
// modes: static
// A static number of threads is a constant everywhere: layouts, all dimensions, private arrays,
// enumerations, cases, #if, bit fields.
#include <upc_relaxed.h>
#include "check.h"
#define N 24
#if THREADS < 1 || THREADS > 7 || !defined(__UPC_STATIC_THREADS__) || defined(__UPC_DYNAMIC_THREADS__)
#error THREADS is a number here
#endif
#if THREADS % 2
#define ODD 1
#else
#define ODD 0
#endif
enum { T = THREADS, TWICE = 2 * THREADS, ROWS = (N + THREADS - 1) / THREADS };

static int per_thread[THREADS], table[THREADS][THREADS] = {{1}};

struct sized {
    int v[THREADS];
    char c[THREADS + 1];
    unsigned bits : THREADS;
};

typedef int vec_t[THREADS];
_Static_assert(THREADS == T, "constant");
shared [N / THREADS] int even[N];
shared [ROWS] int up[N];
shared [THREADS] int by_t[N];
shared [THREADS * 2] double two[N * 2];
shared int plain[N], square[THREADS][THREADS], cube[THREADS][2][THREADS];
shared [] int on0[THREADS];
shared [] int on0_2[THREADS][N];
shared [*] int star[N];
shared [*] int star2[N + 1];
shared [N * N / THREADS] float grid[N][N];
shared [N] float rows[N][N];
shared [2] struct sized st[7];
shared int one[1], prime[13] = {1, 2, 3, [12] = 13};
shared [3] int filled[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
shared int inner[2][THREADS] = {{1}, {2}};
shared [T] char text[N] = "static threads";
shared int threads = THREADS;
static shared [N / THREADS / 2 + 1] short half[N];
shared [THREADS == 1 ? 3 : 5] int cond[11];

static int classify(int n)
{
    switch (n) {
    case THREADS:
        return 1;
    case THREADS + 1:
        return 2;
    case -THREADS:
        return 3;
    default:
        return 0;
    }
}

static int sum_rows(shared [N] float (*m)[N], int from, int to)
{
    double s = 0;
    for (; from < to; from++)
        for (int j = 0; j < N; j++)
            s += m[from][j];
    return s;
}

int main(void)
{
    int i, j, n;
    int local[THREADS] = {7};
    static int once[TWICE];
    vec_t v = {1};
    struct sized s = {{2}};
    shared [N / THREADS] int *pe = even;
    shared [THREADS] int(*prow)[THREADS] = (shared [THREADS] int(*)[THREADS])by_t;
    for (i = 0; i < N; i++) {
        CHECK_EQUAL(upc_threadof(&even[i]), i / (N / THREADS) % THREADS);
        CHECK_EQUAL(upc_threadof(&up[i]), i / ROWS);
        CHECK_EQUAL(upc_threadof(&by_t[i]), i / THREADS % THREADS);
        CHECK_EQUAL(upc_threadof(&plain[i]), i % THREADS);
        CHECK_EQUAL(upc_threadof(&star[i]), i / ROWS);
        CHECK_EQUAL(upc_threadof(&star2[i]), i / ((N + THREADS) / THREADS));
        CHECK_EQUAL(upc_threadof(&rows[i][N - 1]), i % THREADS);
        CHECK_EQUAL(upc_threadof(&grid[i][5]), (i * N + 5) / (N * N / THREADS) % THREADS);
    }
    for (i = 0; i < THREADS; i++)
        for (j = 0; j < THREADS; j++) {
            CHECK_EQUAL(upc_threadof(&square[i][j]), j);
            CHECK_EQUAL(upc_threadof(&cube[i][1][j]), j);
            CHECK_EQUAL(upc_threadof(&on0_2[i][j]), 0);
        }
    CHECK_EQUAL(sizeof per_thread, THREADS * 4);
    CHECK_EQUAL(sizeof(struct sized), sizeof s);
    CHECK_EQUAL(sizeof once, 8 * THREADS);
    CHECK_EQUAL(classify(THREADS) + classify(THREADS + 1) + classify(-THREADS), 6);
    CHECK_EQUAL(ODD, THREADS % 2);
    CHECK_EQUAL(local[0] + v[0] + s.v[0] + table[0][0], 11);
    CHECK_EQUAL(threads, THREADS);
    CHECK_EQUAL(sizeof even, N * 4);
    CHECK_EQUAL(sizeof square / sizeof square[0], THREADS);
    CHECK_EQUAL(upc_blocksizeof(two), 2 * THREADS);
    CHECK_EQUAL(upc_localsizeof(prime), (13 + THREADS - 1) / THREADS * 4);
    CHECK_EQUAL(upc_localsizeof(filled), ((10 + 2) / 3 + THREADS - 1) / THREADS * 3 * 4);
    CHECK(sizeof(char[THREADS]) == THREADS);
    CHECK(prime[0] == 1 && prime[2] == 3 && prime[3] == 0 && prime[12] == 13);
    for (i = 0; i < 10; i++)
        CHECK_EQUAL(filled[i], i);
    CHECK(inner[0][0] == 1 && inner[1][0] == 2 && text[7] == 't' && text[14] == 0);
    CHECK_EQUAL(upc_threadof(&cond[THREADS == 1 ? 3 : 5]), 1 % THREADS);
    n = 0;
    upc_forall (i = 0; i < N; i++; &even[i]) {
        even[i] = i;
        n++;
    }
    upc_barrier;
    CHECK(n == (24 % THREADS ? n : N / THREADS));
    for (i = 0, pe = even; i < N; i++)
        CHECK_EQUAL(*pe++, i);
    upc_forall (i = 0; i < N; i++; i * THREADS / N)
        up[i] = i * i;
    upc_forall (i = 0; i < N; i++; &rows[i][0])
        for (j = 0; j < N; j++)
            rows[i][j] = 1;
    upc_forall (i = 0; i < N; i++; &by_t[i])
        by_t[i] = i;
    upc_forall (i = 0; i < 7; i++; &st[i]) {
        st[i].v[THREADS - 1] = i;
        st[i].bits = 1;
    }
    upc_barrier;
    CHECK_EQUAL(up[N - 1], (N - 1) * (N - 1));
    CHECK_EQUAL(sum_rows(rows, 0, N), N * N);
    CHECK_EQUAL(prow[1][0], THREADS);
    CHECK_EQUAL((*prow)[THREADS - 1], THREADS - 1);
    for (i = 0; i < 7; i++)
        CHECK(st[i].v[THREADS - 1] == i && st[i].bits == 1);
    half[N - 1] = 3;
    CHECK_EQUAL(half[N - 1], 3);
    on0[THREADS - 1] = 5;
    one[0] = 4;
    upc_barrier;
    CHECK_EQUAL(on0[THREADS - 1] + one[0], 9);
    per_thread[MYTHREAD] = MYTHREAD;
    switch (MYTHREAD) {
    case THREADS - 1:
        n = 1;
        break;
    default:
        n = 0;
    }
    CHECK_EQUAL(n, MYTHREAD == THREADS - 1);
    {
        int k[THREADS > 2 ? 2 : 1];
        k[0] = sizeof k;
        CHECK(k[0] == 4 || k[0] == 8);
    }
    return finish();
}
