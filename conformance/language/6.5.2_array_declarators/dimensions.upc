// threads: 1 2 3 4 7
// Arrays of several dimensions are distributed by their ultimate elements; THREADS may stand in any dimension.
#include <upc.h>
#include "check.h"

#define N 5
shared int cyclic[THREADS][N];
shared [N] int rows[THREADS][N];
shared [N] int many_rows[3 * THREADS][N];
shared int last[N][THREADS];
shared [2] int middle[3][2 * THREADS][4];
shared [] int on_zero[4][6];
shared [N * N] double slabs[THREADS][N][N];

int main(void)
{
    int i, j, k, value;

    for (i = 0; i < THREADS; i++)
        for (j = 0; j < N; j++) {
            CHECK_EQUAL(upc_threadof(&cyclic[i][j]), (i * N + j) % THREADS);
            CHECK_EQUAL(upc_threadof(&rows[i][j]), i);
            CHECK_EQUAL(upc_phaseof(&rows[i][j]), j);
            CHECK_EQUAL(upc_threadof(&last[j][i]), i);
        }
    for (i = 0; i < 3 * THREADS; i++)
        CHECK_EQUAL(upc_threadof(&many_rows[i][N - 1]), i % THREADS);
    for (i = 0; i < 3; i++)
        for (j = 0; j < 2 * THREADS; j++)
            for (k = 0; k < 4; k++) {
                int index = (i * 2 * THREADS + j) * 4 + k;

                CHECK_EQUAL(upc_threadof(&middle[i][j][k]), index / 2 % THREADS);
                CHECK_EQUAL(upc_phaseof(&middle[i][j][k]), index % 2);
                if (upc_threadof(&middle[i][j][k]) == MYTHREAD)
                    middle[i][j][k] = index;
            }
    for (i = 0; i < THREADS; i++)
        for (j = 0; j < N; j++)
            for (k = 0; k < N; k++)
                CHECK_EQUAL(upc_threadof(&slabs[i][j][k]), i);
    for (j = 0; j < N; j++)
        for (k = 0; k < N; k++)
            slabs[MYTHREAD][j][k] = MYTHREAD * 100 + j * 10 + k;
    if (MYTHREAD == 0)
        for (i = 0; i < 4; i++)
            for (j = 0; j < 6; j++)
                on_zero[i][j] = i * 6 + j;
    upc_barrier;

    value = 0;
    for (i = 0; i < 3; i++)
        for (j = 0; j < 2 * THREADS; j++)
            for (k = 0; k < 4; k++)
                CHECK_EQUAL(middle[i][j][k], value++);
    for (i = 0; i < THREADS; i++)
        for (j = 0; j < N; j++)
            for (k = 0; k < N; k++)
                CHECK(slabs[i][j][k] == i * 100 + j * 10 + k);
    shared [] int *flat = &on_zero[0][0];
    for (i = 0; i < 24; i++)
        CHECK_EQUAL(flat[i], i);

    // A row is an array again: it decays, and its address steps by rows.
    shared [N] int *row = rows[THREADS - 1];
    CHECK(upc_threadof(row) == THREADS - 1);
    shared [N] int(*next)[N] = rows;
    next++;
    CHECK_EQUAL(upc_threadof(&(*next)[0]), 1 % THREADS);
    CHECK_EQUAL(sizeof(rows[0]), N * sizeof(int));
    CHECK_EQUAL(sizeof(on_zero), 24 * sizeof(int));
    CHECK_EQUAL(sizeof(rows), THREADS * N * sizeof(int));
    return finish();
}
