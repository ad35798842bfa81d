// threads: 1 2 3 4 7
// Directories of pointers-to-shared: in shared arrays, structures, allocated tables; lists on all threads.
#include <upc.h>
#include "check.h"

typedef struct {
    int n;
    double *local;
    shared [] double *data;
    shared void *any;
    shared [4] int *blk;
} desc_t;

shared desc_t desc[THREADS];
shared [] desc_t *shared dir[THREADS];
shared [] int *shared p[THREADS];
shared [] int *shared [2] pp[2 * THREADS];
shared [] double *shared [] * tab;
typedef shared [] int *row_t;
row_t shared rows[4 * THREADS];
shared row_t *dyn;
shared [] row_t *dyn0;

struct list {
    struct list shared *next;
    int v;
};
typedef struct list list_t;
shared list_t *shared heads[THREADS];
list_t shared *head;

int main()
{
    int i, j;
    int t = (MYTHREAD + 1) % THREADS;
    p[MYTHREAD] = (shared [] int *)upc_alloc(10 * sizeof(int));
    for (i = 0; i < 10; i++)
        p[MYTHREAD][i] = MYTHREAD * 10 + i;
    desc[MYTHREAD].n = 3;
    desc[MYTHREAD].data = upc_alloc(3 * sizeof(double));
    desc[MYTHREAD].local = (double *)desc[MYTHREAD].data;
    desc[MYTHREAD].any = p[MYTHREAD];
    desc[MYTHREAD].blk = NULL;
    for (i = 0; i < 3; i++)
        desc[MYTHREAD].data[i] = i + MYTHREAD * .5;
    dir[MYTHREAD] = (shared [] desc_t *)&desc[MYTHREAD];
    for (i = 0; i < 4; i++) {
        rows[i * THREADS + MYTHREAD] = upc_alloc(5 * sizeof(int));
        for (j = 0; j < 5; j++)
            rows[i * THREADS + MYTHREAD][j] = i * 10 + j;
    }
    upc_barrier;
    CHECK_EQUAL(p[t][3], t * 10 + 3);
    CHECK_EQUAL(*(p[t] + 4), t * 10 + 4);
    CHECK_EQUAL(*p[t], t * 10);
    CHECK_EQUAL((&p[t][2])[1], t * 10 + 3);
    CHECK(desc[t].data[1] == 1 + t * .5);
    CHECK(*(desc[t].data + 2) == 2 + t * .5);
    CHECK_EQUAL(((shared [] int *)desc[t].any)[5], t * 10 + 5);
    CHECK(desc[t].blk == NULL);
    CHECK_EQUAL(upc_threadof(desc[t].data), t);
    CHECK(dir[t]->data[0] == t * .5);
    CHECK((*dir[t]).n == 3);
    CHECK(dir[t][0].data[1] == 1 + t * .5);
    CHECK_EQUAL(upc_threadof(dir[t]->data), t);
    CHECK(desc[MYTHREAD].local[2] == 2 + MYTHREAD * .5);
    CHECK_EQUAL(rows[2 * THREADS + t][3], 23);
    CHECK_EQUAL(upc_threadof(rows[t]), t);
    CHECK_EQUAL(upc_threadof(&rows[t]), t);
    dyn = (shared row_t *)upc_all_alloc(THREADS, sizeof(row_t));
    dyn[MYTHREAD] = p[MYTHREAD];
    upc_barrier;
    CHECK_EQUAL(dyn[t][7], t * 10 + 7);
    dyn0 = (shared [] row_t *)upc_alloc(THREADS * sizeof(row_t));
    for (i = 0; i < THREADS; i++)
        dyn0[i] = p[i];
    CHECK_EQUAL(dyn0[t][1], t * 10 + 1);
    dyn0[t]++;
    CHECK_EQUAL(*dyn0[t], t * 10 + 1);
    tab = upc_alloc(2 * sizeof(*tab));
    tab[0] = desc[t].data;
    tab[1] = tab[0] + 1;
    CHECK(*tab[1] == 1 + t * .5);
    CHECK(tab[0][2] == 2 + t * .5);
    for (i = 0; i < 5; i++) {
        shared list_t *n = (shared list_t *)upc_local_alloc(1, sizeof(list_t));
        n->v = i;
        n->next = heads[MYTHREAD];
        heads[MYTHREAD] = n;
    }
    upc_barrier;
    for (i = 0, head = heads[t]; head; head = head->next)
        i += head->v;
    CHECK_EQUAL(i, 10);
    CHECK_EQUAL(heads[t]->next->next->v, 2);
    for (shared list_t *q = heads[t], *r = NULL; q != NULL; r = q, q = q->next) {
        if (r)
            CHECK_EQUAL(r->v, q->v + 1);
    }
    {
        desc_t d = desc[t];
        CHECK(d.data[1] == 1 + t * .5);
        desc_t *dp = &d;
        CHECK(dp->data[1] == 1 + t * .5 && ((shared [] int *)dp->any)[0] == t * 10);
        shared desc_t *sd = &desc[t];
        CHECK(sd->data[1] == 1 + t * .5);
    }
    pp[2 * MYTHREAD + 1] = p[MYTHREAD];
    upc_barrier;
    CHECK_EQUAL(pp[2 * t + 1][2], t * 10 + 2);
    CHECK(sizeof(desc_t) == 8 + 8 + 16 * 3);
    CHECK_EQUAL(upc_localsizeof(rows), 4 * sizeof(row_t));
    upc_barrier;
    upc_free(p[MYTHREAD]);
    p[MYTHREAD] = NULL;
    upc_free(desc[MYTHREAD].data);
    if (!MYTHREAD)
        upc_free(dyn);
    return finish();
}
