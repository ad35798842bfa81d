// threads: 1 2 3 4 7
// Private arrays of THREADS elements are of variable length if the number of threads is dynamic.
#include <upc.h>
#include <string.h>
#include "check.h"

shared int a[THREADS][3];

static int total(int n, int values[n], int table[][n])
{
    int i, sum = 0;

    for (i = 0; i < n; i++)
        sum += values[i] + table[1][i];
    return sum;
}

int main(void)
{
    int counts[THREADS], table[2][THREADS];
    shared int *pointers[THREADS];
    double matrix[THREADS][THREADS + 1];
    char text[THREADS * 10 + 1];
    int i, j;

    memset(counts, 0, sizeof counts);
    CHECK_EQUAL(sizeof counts, THREADS * sizeof(int));
    CHECK_EQUAL(sizeof pointers / sizeof pointers[0], THREADS);
    for (i = 0; i < THREADS; i++) {
        counts[i] += i;
        table[0][i] = 0;
        table[1][i] = 1;
        pointers[i] = &a[i][2];
        for (j = 0; j <= THREADS; j++)
            matrix[i][j] = i * j;
    }
    *pointers[MYTHREAD] = MYTHREAD * 4;
    upc_barrier;
    for (i = 0; i < THREADS; i++)
        CHECK_EQUAL(*pointers[i], 4 * i);
    CHECK_EQUAL(total(THREADS, counts, table), THREADS * (THREADS + 1) / 2);
    CHECK(matrix[THREADS - 1][THREADS] == (THREADS - 1) * THREADS);
    text[THREADS * 10] = '\0';
    CHECK_EQUAL(sizeof text, 10 * THREADS + 1);
    {
        int n = 3 + MYTHREAD;
        shared int *more[n];

        more[n - 1] = &a[0][0];
        CHECK(more[n - 1] == &a[0][0]);
        CHECK_EQUAL(sizeof more, n * sizeof(shared int *));
    }
    return finish();
}
