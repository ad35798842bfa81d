// threads: 1 2 3 4 7
// Allocation in every form, converted to pointers of every layout, as exercises do it.
#include <upc.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"
#define N 12
typedef shared [N] double *blk_t;
shared int *ga;
shared int *shared sga;
shared [] int *shared mine[THREADS];
shared [N] double *m;
shared double *vec;
shared [] double *flat;
shared [N] double (*rows)[N];
shared void *raw;

typedef struct {
    shared [] char *s;
    size_t n;
} str_t;

shared str_t *strs;

int main(void)
{
    int i;
    ga = (shared int *)upc_all_alloc(THREADS, 4 * sizeof(int));
    CHECK(ga != NULL);
    for (i = 0; i < 4; i++)
        ga[i * THREADS + MYTHREAD] = i;
    upc_barrier;
    CHECK_EQUAL(ga[THREADS], 1);
    if (MYTHREAD == 0)
        sga = (shared int *)upc_global_alloc(THREADS, sizeof(int));
    upc_barrier;
    sga[MYTHREAD] = MYTHREAD;
    upc_barrier;
    for (i = 0; i < THREADS; i++)
        CHECK_EQUAL(sga[i], i);
    mine[MYTHREAD] = (shared [] int *)upc_alloc(N * sizeof(int));
    for (i = 0; i < N; i++)
        mine[MYTHREAD][i] = i;
    CHECK_EQUAL(upc_threadof(mine[MYTHREAD]), MYTHREAD);
    CHECK_EQUAL(upc_phaseof(mine[MYTHREAD]), 0);
    m = (blk_t)upc_all_alloc(THREADS * 2, N * sizeof(double));
    rows = (shared [N] double(*)[N])m;
    upc_forall (i = 0; i < 2 * THREADS; i++; &rows[i][0])
        for (int j = 0; j < N; j++)
            rows[i][j] = i + j / 100.;
    upc_barrier;
    CHECK(m[N * (2 * THREADS - 1) + 5] == 2 * THREADS - 1 + .05);
    CHECK_EQUAL(upc_threadof(m + N), 1 % THREADS);
    vec = upc_all_alloc(N * THREADS, sizeof *vec);
    upc_forall (i = 0; i < N * THREADS; i++; vec + i)
        vec[i] = i;
    upc_barrier;
    CHECK(vec[N * THREADS - 1] == N * THREADS - 1);
    flat = upc_global_alloc(1, 100 * sizeof(*flat));
    CHECK_EQUAL(upc_threadof(flat), 0);
    flat[99] = 3;
    CHECK(flat[99] == 3);
    upc_free(flat);
    raw = upc_alloc(16);
    CHECK(raw != NULL);
    *(shared [] int *)raw = 5;
    CHECK_EQUAL(*(int *)raw, 5);
    CHECK_EQUAL(((shared [] int *)raw)[0], 5);
    upc_free(raw);
    CHECK(upc_alloc(0) == NULL || 1);
    raw = upc_all_alloc(0, 10);
    CHECK(raw == NULL);
    if ((raw = upc_local_alloc(3, 8)) == NULL)
        exit(1);
    upc_free(raw);
    strs = upc_all_alloc(THREADS, sizeof(str_t));
    strs[MYTHREAD].s = upc_alloc(N);
    strs[MYTHREAD].n = N;
    strcpy((char *)strs[MYTHREAD].s, "thread");
    upc_barrier;
    CHECK_EQUAL(strs[THREADS - 1].s[1], 'h');
    CHECK_EQUAL(strs[(MYTHREAD + 1) % THREADS].n, N);
    {
        double *p = malloc(N * sizeof *p);
        upc_memget(p, &m[N * ((MYTHREAD + 1) % THREADS)], N * sizeof(double));
        CHECK(p[1] == (MYTHREAD + 1) % THREADS + .01);
        free(p);
        upc_barrier;
        upc_memset(&m[N * MYTHREAD], 0, N * sizeof(double));
        upc_memcpy(&m[N * (MYTHREAD + THREADS)], &m[N * MYTHREAD], N * sizeof(double));
        upc_barrier;
        CHECK(m[N * THREADS] == 0);
        for (i = 0; i < 3; i++) {
            shared int *t = upc_all_alloc(THREADS, sizeof(int));
            t[MYTHREAD] = 1;
            upc_barrier;
            if (MYTHREAD == 0)
                upc_free(t);
        }
    }
    upc_barrier;
    upc_all_free(ga);
    upc_all_free(vec);
    upc_free(strs[MYTHREAD].s);
    upc_free(mine[MYTHREAD]);
    if (MYTHREAD == 0)
        upc_free(sga);
    return finish();
}
