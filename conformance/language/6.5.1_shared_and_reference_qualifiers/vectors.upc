// threads: 1 2 3 4 7
// Structures with pointers-to-shared as values: arguments, results, initialisers, members of members.
#include <upc.h>
#include "check.h"

typedef struct {
    shared [] double *x;
    int n;
} vec;

typedef struct {
    vec v[2];
    vec *w;
    shared vec *sv;
} two;

shared vec svecs[THREADS];
shared two twos[THREADS];
vec gv;
two gt = {{{NULL, 1}, {0, 2}}, &gv, svecs};

static vec mk(int n)
{
    vec v;
    v.x = upc_alloc(n * sizeof(double));
    v.n = n;
    for (int i = 0; i < n; i++)
        v.x[i] = i;
    return v;
}

static double dot(vec a, const vec *b)
{
    double s = 0;
    for (int i = 0; i < a.n; i++)
        s += a.x[i] * b->x[i];
    return s;
}

static vec *self(vec *v) { return v; }

static two mk2(vec a, vec b)
{
    two t = {.v = {a, b}, .w = 0, .sv = &svecs[MYTHREAD]};
    return t;
}

int main()
{
    vec a = mk(4), b = mk(4), arr[3] = {a, b, {NULL, 0}};
    two t = mk2(a, b), *pt = &t, ts[2];
    CHECK(dot(a, &b) == 14);
    CHECK(arr[1].x[2] == 2 && arr[2].x == NULL);
    CHECK(t.v[1].x[3] == 3);
    CHECK(pt->v[0].x[1] == 1);
    CHECK(self(&a)->x[2] == 2);
    CHECK(*self(&b)->x == 0);
    CHECK(mk2(a, b).v[1].x[2] == 2);
    ts[1] = t;
    ts[0] = ts[1];
    CHECK(ts[0].v[0].x == a.x);
    ts[0].v[0].x++;
    CHECK(*ts[0].v[0].x == 1);
    ts[1].v[1].x += 2;
    CHECK(ts[1].v[1].x[-1] == 1);
    CHECK(ts[1].v[1].x - ts[1].v[1].x == 0);
    svecs[MYTHREAD] = a;
    twos[MYTHREAD] = t;
    twos[MYTHREAD].v[1] = svecs[MYTHREAD];
    upc_barrier;
    int o = (MYTHREAD + 1) % THREADS;
    CHECK(svecs[o].x[3] == 3);
    CHECK(twos[o].v[1].x[2] == 2);
    CHECK(twos[o].sv->x[2] == 2);
    CHECK(twos[o].sv[0].n == 4);
    CHECK(gt.sv->n == 4 && gt.v[1].n == 2 && gt.w == &gv && gt.v[0].x == NULL);
    vec c = svecs[o];
    CHECK(dot(c, &a) == 14);
    CHECK(dot(svecs[o], &b) == 14);
    CHECK(dot(twos[o].v[0], self(&a)) == 14);
    (void)(svecs[o].x == c.x);
    CHECK(svecs[o].x == c.x && svecs[o].x + 1 > c.x);
    upc_barrier;
    svecs[MYTHREAD].x[1] = 50;
    svecs[MYTHREAD].x[1] += 1;
    upc_barrier;
    CHECK(svecs[o].x[1] == 51);
    CHECK(c.x[1] == 51);
    {
        shared vec *p = &svecs[o];
        p->x[2] = 0;
        (*p).x[2]--;
        upc_barrier;
        CHECK(a.x[2] == -1);
        upc_barrier;
        shared [] double **pp = &gv.x;
        *pp = a.x;
        CHECK((*pp)[1] == 51 && **pp == 0);
        shared [] double *shared *sp = (shared [] double *shared *)&svecs[o].x;
        CHECK((*sp)[1] == 51);
        shared [] double *shared [] *sp2 = &svecs[o].x;
        CHECK((*sp2)[1] == 51 && sp2[0][1] == 51);
    }
    vec *va = __builtin_alloca(THREADS * sizeof(vec));
    for (int i = 0; i < THREADS; i++)
        va[i] = svecs[i];
    CHECK(va[THREADS - 1].x[1] == 51);
    vec vla[THREADS];
    vla[MYTHREAD] = va[MYTHREAD];
    CHECK(vla[MYTHREAD].x == a.x);
    shared [] double *pv[THREADS + 1];
    pv[THREADS] = a.x;
    CHECK(*pv[THREADS] == 0);
    (void)sizeof(pv);
    CHECK_EQUAL(sizeof pv, (THREADS + 1) * sizeof(shared void *));
    vec z = {0};
    CHECK(z.x == NULL && !z.x);
    vec y = {a.x + 1, 3};
    CHECK(*y.x == 51);
    static vec sv0;
    CHECK(sv0.x == 0);
    static vec sv1 = {NULL, 4};
    CHECK(!sv1.x && sv1.n == 4);
    vec dz = (vec){.n = 2};
    CHECK(dz.x == NULL);
    two tz = {{{0}}};
    CHECK(tz.sv == NULL);
    return finish();
}
