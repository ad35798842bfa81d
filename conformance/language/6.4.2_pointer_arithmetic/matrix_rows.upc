// threads: 1 2 3 4 7
// Rows, pointers to rows and single elements of blocked and cyclic arrays of two and three dimensions.
#include <upc.h>
#include "check.h"

#define R 4
#define C 6
shared [C] int rows[R * THREADS][C];
shared int cyclic[R][C * THREADS];
shared [2 * C] int pairs[R * THREADS][C];
shared [C / 2] int halves[R * THREADS][C];
shared [R * C] double planes[THREADS][R][C];
shared [] int on_zero[R][C];

static int sum_row(shared [C] int *row, int n)
{
    int s = 0, i;

    for (i = 0; i < n; i++)
        s += row[i];
    return s;
}

static void fill(shared [C] int m[][C], int n)
{
    int i, j;

    upc_forall (i = 0; i < n; i++; &m[i][0])
        for (j = 0; j < C; j++)
            m[i][j] = i * 100 + j;
}

static int trace(shared [C] int (*m)[C], int n)
{
    int s = 0;

    while (n--)
        s += m[n][n];
    return s;
}

int main(void)
{
    int i, j;
    shared [C] int *p;
    shared [C] int(*r)[C];
    shared [C / 2] int *h;
    shared double *mixed;

    fill(rows, R * THREADS);
    upc_barrier;
    for (i = 0; i < R * THREADS; i++) {
        CHECK_EQUAL(upc_threadof(&rows[i][0]), i % THREADS);
        CHECK_EQUAL(upc_threadof(rows[i]), i % THREADS);
        CHECK_EQUAL(upc_threadof(&rows[i]), i % THREADS);
        CHECK_EQUAL(upc_phaseof(&rows[i][C - 1]), C - 1);
        CHECK_EQUAL(sum_row(rows[i], C), i * 100 * C + 15);
        CHECK_EQUAL(*(*(rows + i) + 2), i * 100 + 2);
        CHECK_EQUAL((*(rows + i))[3], i * 100 + 3);
        CHECK_EQUAL(*(rows[i] + 4), i * 100 + 4);
        CHECK_EQUAL(upc_threadof(&pairs[i][1]), i / 2 % THREADS);
        CHECK_EQUAL(upc_threadof(&halves[i][C / 2]), (2 * i + 1) % THREADS);
        CHECK_EQUAL(upc_phaseof(&halves[i][C / 2 + 1]), 1);
    }
    CHECK_EQUAL(trace(rows, R), 306 + 300);
    r = rows;
    CHECK_EQUAL((*r++)[1], 1);
    CHECK_EQUAL((*++r)[1], 201);
    CHECK_EQUAL(r - rows, 2);
    CHECK_EQUAL(r[1][-1], 205);
    CHECK_EQUAL(*r[1], 300);
    CHECK_EQUAL((*r)[C], 300);
    p = *r;
    CHECK(p == &rows[2][0] && p == rows[2] && &p[3] == &(*r)[3]);
    CHECK_EQUAL(p[-1], 105);
    CHECK_EQUAL(*(p - C), 100);
    p += C * R * THREADS - 1 - (p - &rows[0][0]);
    CHECK_EQUAL(*p, (R * THREADS - 1) * 100 + C - 1);
    CHECK_EQUAL(p - *rows, R * C * THREADS - 1);
    CHECK_EQUAL(&rows[R * THREADS - 1] - &rows[0], R * THREADS - 1);

    for (i = 0; i < R; i++)
        for (j = MYTHREAD; j < C * THREADS; j += THREADS) {
            CHECK_EQUAL(upc_threadof(&cyclic[i][j]), MYTHREAD);
            cyclic[i][j] = i * 1000 + j;
        }
    upc_barrier;
    CHECK_EQUAL(*(&cyclic[0][0] + C * THREADS + 5), 1005);
    CHECK_EQUAL(((int *)&cyclic[R - 1][MYTHREAD])[1], 3000 + MYTHREAD + THREADS);
    CHECK_EQUAL((int *)&cyclic[1][MYTHREAD] - (int *)&cyclic[0][MYTHREAD], C);
    h = halves[1];
    CHECK_EQUAL(upc_threadof(h + C / 2), 3 % THREADS);
    CHECK(h + C == halves[2] && &h[-1] == &halves[0][C - 1]);

    upc_forall (i = 0; i < THREADS; i++; &planes[i][0][0]) {
        double(*mine)[C] = (double(*)[C]) & planes[i][0][0];
        double *flat = (double *)planes[i];

        for (j = 0; j < R * C; j++)
            flat[j] = j + i * 0.25;
        CHECK(mine[R - 1][C - 1] == R * C - 1 + i * 0.25);
        CHECK(((double(*)[R][C]) & planes[i])[0][1][1] == C + 1 + i * 0.25);
    }
    upc_barrier;
    for (i = 0; i < THREADS; i++) {
        CHECK(planes[i][2][3] == 2 * C + 3 + i * 0.25);
        CHECK_EQUAL(upc_threadof(planes[i]), i);
        CHECK_EQUAL(upc_threadof(&planes[i][R - 1][C - 1]), i);
    }
    CHECK_EQUAL(sizeof planes[0], R * C * sizeof(double));
    CHECK_EQUAL(sizeof planes[0][0], C * sizeof(double));
    CHECK_EQUAL(sizeof rows / sizeof rows[0], R * THREADS);
    mixed = (shared double *)&planes[THREADS - 1][0][0];
    CHECK(*mixed == (THREADS - 1) * 0.25 && upc_threadof(mixed + 1) == 0);
    on_zero[MYTHREAD % R][1] = 4;
    upc_barrier;
    CHECK(on_zero[0][1] == 4 && upc_threadof(&on_zero[R - 1][C - 1]) == 0);
    CHECK_EQUAL(&on_zero[3][1] - &on_zero[0][0], 3 * C + 1);
    return finish();
}
