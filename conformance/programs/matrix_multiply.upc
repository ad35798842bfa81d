// threads: 1 2 3 4 7
// Matrix product as in textbooks: rows of A and C are distributed, B is copied to every thread or read in place.
#include <upc_relaxed.h>
#include "check.h"

#define N 12
#define P 8
#define M 10
shared [N] int a[P * THREADS][N], c[P * THREADS][M];
shared [M] int b[N][M * THREADS];
shared [M] int result[P * THREADS][M];
int b_local[N][M];

int main(void)
{
    int i, j, l, rows = P * THREADS;

    upc_forall (i = 0; i < rows; i++; &a[i][0])
        for (j = 0; j < N; j++)
            a[i][j] = i * N + j + 1;
    upc_forall (i = 0; i < N; i++; i)
        for (j = 0; j < M; j++)
            b[i][j] = (j + i) % 2;
    upc_barrier;
    for (i = 0; i < N; i++)
        upc_memget(b_local[i], &b[i][0], M * sizeof(int));
    upc_forall (i = 0; i < rows; i++; &result[i][0]) {
        for (j = 0; j < M; j++) {
            result[i][j] = 0;
            for (l = 0; l < N; l++)
                result[i][j] += a[i][l] * b_local[l][j];
        }
    }
    upc_barrier;
    for (i = 0; i < rows; i++)
        for (j = 0; j < M; j++) {
            int sum = 0;

            for (l = 0; l < N; l++)
                sum += (i * N + l + 1) * ((j + l) % 2);
            CHECK_EQUAL(result[i][j], sum);
        }
    return finish();
}
