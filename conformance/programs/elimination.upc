// threads: 1 2 3 4 7
// Gaussian elimination with rows dealt out in turns; the pivot row is broadcast by hand; solutions are checked.
#include <upc_relaxed.h>
#include <math.h>
#include <stdlib.h>
#include "check.h"

#define N 24
typedef struct {
    double elements[N + 1];
    int pivot;
} row_t;
shared row_t rows[N * THREADS]; /* the first N are used: cyclic by rows */
shared [] double solution[N];

static double element(int i, int j)
{
    return i == j ? N + i : 1.0 / (1 + i + 2 * j);
}

int main(void)
{
    int i, j, k;
    row_t pivot;

    upc_forall (i = 0; i < N; i++; &rows[i]) {
        row_t *row = (row_t *)&rows[i];
        double sum = 0;

        for (j = 0; j < N; j++)
            sum += (row->elements[j] = element(i, j)) * (j + 1);
        row->elements[N] = sum;
        row->pivot = -1;
    }
    upc_barrier;
    for (k = 0; k < N; k++) {
        pivot = rows[k];
        upc_forall (i = k + 1; i < N; i++; &rows[i]) {
            shared [] double *row = rows[i].elements;
            double factor = row[k] / pivot.elements[k];

            for (j = k; j <= N; j++)
                row[j] -= factor * pivot.elements[j];
            rows[i].pivot = k;
        }
        upc_barrier;
    }
    if (MYTHREAD == THREADS - 1)
        for (i = N - 1; i >= 0; i--) {
            double value = rows[i].elements[N];

            for (j = i + 1; j < N; j++)
                value -= rows[i].elements[j] * solution[j];
            solution[i] = value / rows[i].elements[i];
        }
    upc_barrier;
    for (i = 0; i < N; i++) {
        CHECK(fabs(solution[i] - (i + 1)) < 1e-9);
        CHECK_EQUAL(rows[i].pivot, i - 1);
    }
    return finish();
}
