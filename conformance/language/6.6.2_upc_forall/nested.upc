// threads: 1 2 3 4 7
// warns: 'return' out of a upc_forall
// upc_forall within upc_forall: directly, through functions, by recursion, and with the outer one left
// early.
#include <upc.h>
#include "check.h"
#define N 6
shared int a[N * THREADS], grid[N][N * THREADS];
shared [N] int rows[N * THREADS][N];
static int visits;

static int inner(void)
{
    int j, n = 0;
    upc_forall (j = 0; j < N; j++; j)
        n++;
    return n;
}

static int inner_pointer(void)
{
    int n = 0;
    upc_forall (int j = 0; j < N * THREADS; j++; &a[j])
        n++;
    return n;
}

static int middle(void) { return inner(); }

static int leaves(int at)
{
    int i;
    upc_forall (i = 0; i < N; i++; continue) {
        if (i == at)
            return i;
    }
    return -1;
}

static void recursive(int d)
{
    int i;
    upc_forall (i = 0; i < 2 * THREADS; i++; i) {
        visits++;
        if (d)
            recursive(d - 1);
    }
}

int main(void)
{
    int i, j, n = 0, m = 0;
    upc_forall (i = 0; i < THREADS; i++; i) {
        n += inner();
        m += inner_pointer();
    }
    CHECK_EQUAL(n, N);
    CHECK_EQUAL(m, N * THREADS);
    CHECK_EQUAL(inner(), (N - MYTHREAD + THREADS - 1) / THREADS);
    CHECK_EQUAL(inner_pointer(), N);
    n = 0;
    upc_forall (i = 0; i < THREADS; i++; &a[i])
        n += middle();
    CHECK_EQUAL(n, N);
    n = 0;
    upc_forall (i = 0; i < N * THREADS; i++; &rows[i][0])
        upc_forall (j = 0; j < N; j++; &rows[i][j]) {
            rows[i][j] = i + j;
            n++;
        }
    CHECK_EQUAL(n, N * N);
    n = 0;
    upc_forall (i = 0; i < N; i++; continue)
        upc_forall (j = 0; j < N * THREADS; j++; &grid[i][j])
            n++;
    CHECK_EQUAL(n, N * N);
    n = 0;
    for (i = 0; i < N; i++)
        upc_forall (j = 0; j < N * THREADS; j++; &grid[i][j]) {
            grid[i][j] = i * j;
            n++;
        }
    CHECK_EQUAL(n, N * N);
    CHECK_EQUAL(leaves(3), 3);
    CHECK_EQUAL(inner(), (N - MYTHREAD + THREADS - 1) / THREADS);
    recursive(1);
    CHECK_EQUAL(visits, 2 + 2 * 2 * THREADS);
    n = 0;
    upc_forall (i = 0; i < N; i++; continue) {
        n++;
        if (i == 2)
            break;
    }
    CHECK_EQUAL(n, 3);
    CHECK_EQUAL(inner_pointer(), N);
    upc_forall (i = 0; i < N; i++; continue) {
        n++;
        if (i == 2)
            goto out;
    }
out:
    CHECK_EQUAL(n, 6);
    CHECK_EQUAL(inner_pointer(), N);
    upc_forall (i = 0; i < THREADS; i++; i) {
        for (j = 0; j < 3; j++) {
            int k;
            upc_forall (k = 0; k < 4; k++; k) {
                if (k == 1)
                    continue;
                n++;
            }
        }
    }
    CHECK_EQUAL(n, 6 + 9);
    n = 0;
    upc_forall (i = 0; i < THREADS; i++; i) {
        upc_forall (j = 0; j < 2; j++; continue)
            n++;
        upc_forall (j = 0; j < 2 * THREADS; j++; &a[j])
            n++;
    }
    CHECK_EQUAL(n, 2 + 2 * THREADS);
    n = 0;
    upc_forall (i = 0; i < 2 * THREADS; i++; i) {
        if (i >= THREADS)
            continue;
        n += inner();
    }
    CHECK_EQUAL(n, N);
    upc_barrier;
    for (i = 0; i < N * THREADS; i++)
        CHECK_EQUAL(rows[i][N - 1], i + N - 1);
    return finish();
}
