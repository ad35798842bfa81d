// threads: 1 2 3 4 7
// Macros around every construct, pointers to arrays with THREADS in a dimension, unions, declarations in
// for.
#include <upc.h>
#include "check.h"
#define forall upc_forall
#define barrier upc_barrier
#define BARRIER(n) \
    upc_barrier    \
    n
#define SH shared
#define FOR_OWN(i, n, a) upc_forall ((i) = 0; (i) < (n); (i)++; &(a)[i])
#define LOOP_BEGIN(i, n) for ((i) = 0; (i) < (n); (i)++) {
#define LOOP_END }
#define EMPTY
#define SWAP(T, a, b) \
    do {              \
        T t_ = a;     \
        a = b;        \
        b = t_;       \
    } while (0)
struct later;
typedef shared struct later *later_p;
SH struct later *lp;

struct later {
    int v;
    later_p next;

    struct {
        later_p in[2];
    } arr[2];
};
shared struct later nodes[4 * THREADS];

typedef shared [4] struct {
    float x[3];
    int id;
} * part_p;

shared [4] struct part {
    float x[3];
    int id;
} parts[8 * THREADS];

int proto(shared int *, shared [] char *[3], shared int (*)[4], int (*)(shared int *), shared const void *);
shared int A[2][THREADS];
shared int (*pa)[THREADS];
shared [2] int Bk[2 * THREADS];
shared int C3[3][2][THREADS];
shared int D3[THREADS][2][3];
shared [6] int E3[THREADS][2][3];

union uu {
    shared int *p;
    unsigned long w[2];

    struct {
        unsigned long a, b;
    } s;
};
union uu ug = {&A[0][0]}, ug2 = {.w = {1, 2}};

static int f_u(union uu u) { return *u.p; }

int duff(shared [] int *to, int *from, int n)
{
    int k = 0;
    switch (n % 4) {
    case 0:
        do {
            *to++ = *from++;
            k++;
        case 3:
            *to++ = *from++;
            k++;
        case 2:
            *to++ = *from++;
            k++;
        case 1:
            *to++ = *from++;
            k++;
        } while ((n -= 4) > 0);
    }
    return k;
}

int main()
{
    int i, j, k;
    int n[3] = {1, 2, 3};
    forall (i = 0; i < THREADS; i++; &A[0][i]) {
        A[0][i] = i;
        A[1][i] = i + 100;
    }
    FOR_OWN(i, 2 * THREADS, Bk) Bk[i] = i;
    FOR_OWN(i, 4 * THREADS, nodes)
    {
        nodes[i].v = i;
        nodes[i].next = &nodes[(i + 1) % (4 * THREADS)];
        nodes[i].arr[1].in[0] = nodes + i;
    }
    barrier;
    BARRIER(3);
    BARRIER(EMPTY);
    BARRIER((1, 2));
    pa = A;
    CHECK_EQUAL(pa[1][THREADS - 1], THREADS + 99);
    CHECK_EQUAL((*(pa + 1))[0], 100);
    CHECK_EQUAL((*++pa)[0], 100);
    CHECK_EQUAL(sizeof *pa, THREADS * sizeof(int));
    CHECK_EQUAL(pa - A, 1);
    pa = &A[1];
    CHECK_EQUAL((*pa)[0], 100);
    for (i = 0; i < 3; i++)
        for (j = 0; j < 2; j++) {
            C3[i][j][MYTHREAD] = i * 100 + j * 10 + MYTHREAD;
            CHECK_EQUAL(upc_threadof(&C3[i][j][MYTHREAD]), MYTHREAD);
            E3[MYTHREAD][j][i] = 5;
            CHECK_EQUAL(upc_threadof(&E3[MYTHREAD][j][i]), MYTHREAD);
            CHECK_EQUAL(upc_threadof(&D3[MYTHREAD][j][i]), (MYTHREAD * 6 + j * 3 + i) % THREADS);
        }
    barrier;
    CHECK_EQUAL(C3[2][1][THREADS - 1], 210 + THREADS - 1);
    {
        shared int(*q)[2][THREADS] = C3;
        CHECK_EQUAL(q[2][1][0], 210);
        CHECK_EQUAL((*(q + 1))[1][0], 110);
        CHECK_EQUAL(*(*(*(q + 1) + 1) + 0), 110);
        shared int(*r)[THREADS] = C3[2];
        CHECK_EQUAL(r[1][0], 210);
        shared int *s = C3[1][1];
        CHECK_EQUAL(s[0], 110);
        CHECK_EQUAL(&C3[2][0][0] - &C3[0][0][0], 4 * THREADS);
    }
    CHECK_EQUAL(nodes[0].next->next->next->v, 3);
    CHECK_EQUAL(nodes[1].arr[1].in[0]->next->v, 2);
    CHECK_EQUAL(nodes[1].arr[1].in[0][1].v, 2);
    lp = nodes;
    lp = lp->next->arr[1].in[0];
    CHECK_EQUAL(lp->v, 1);
    {
        struct later loc = *lp;
        CHECK_EQUAL(loc.arr[1].in[0]->v, 1);
        CHECK_EQUAL(loc.next->v, 2);
        struct later *pl = &loc;
        pl->next = pl->next->next;
        CHECK_EQUAL(pl->next->v, 3);
        pl->arr[0].in[1] = NULL;
        CHECK(!pl->arr[0].in[1] && pl->arr[1].in[0]);
    }
    ug.p = &A[1][0];
    CHECK_EQUAL(f_u(ug), 100);
    CHECK(ug2.w[0] == 1 && ug2.s.b == 2);
    CHECK_EQUAL(f_u((union uu){.p = &A[0][0]}), 0);
    {
        static shared [] int dest[8];
        int src[8] = {1, 2, 3, 4, 5, 6, 7, 8};
        if (MYTHREAD == 0)
            CHECK_EQUAL(duff(dest, src, 7), 7);
        barrier;
        CHECK_EQUAL(dest[6], 7);
    }
    for (shared int *p = &A[0][0], *q = &A[1][0]; p != q; p++) {
        CHECK_EQUAL(*p + 100, p[THREADS]);
    }
    for (shared [2] int *p = Bk, *e = Bk + 2 * THREADS; p < e; ++p)
        CHECK_EQUAL(*p, p - Bk);
    for (int a = 0, *b = n; a < 3; a++, b++)
        CHECK_EQUAL(*b, a + 1);
    for (struct {
             int i;
             shared int *p;
         } s = {0, Bk == 0 ? 0 : &A[0][0]};
         s.i < 2; s.i++)
        CHECK_EQUAL(*s.p, 0);
    LOOP_BEGIN(i, 3) if (i == 1) continue;
    CHECK(i != 1);
    LOOP_END
    if (THREADS > 1000)
        upc_notify;
    else
        upc_notify;
    if (i)
        upc_wait;
    else {
        upc_wait;
    }
    i = 5;
    while (i-- > 3)
        upc_barrier;
    do
        upc_barrier;
    while (i-- > 0);
    if (i)
        ;
    else
        barrier;
    { _Pragma("upc strict") CHECK_EQUAL(A[0][0], 0); }
    { _Pragma("upc relaxed") SWAP(int, n[0], n[1]); }
    CHECK_EQUAL(n[0], 2);
    parts[4 * MYTHREAD].x[2] = 1.5f;
    parts[4 * MYTHREAD].id = 3;
    SWAP(float, parts[4 * MYTHREAD].x[0], parts[4 * MYTHREAD].x[2]);
    CHECK(parts[4 * MYTHREAD].x[0] == 1.5f);
    {
        shared [4] struct part *pp = parts;
        pp += 4 * MYTHREAD;
        CHECK_EQUAL(pp->id, 3);
        CHECK(*pp->x == 1.5f && *(*pp).x == 1.5f && pp->x[0] == 1.5f);
        struct part *loc = (struct part *)pp;
        loc->id++;
        CHECK_EQUAL(pp->id, 4);
        CHECK_EQUAL(((struct part *)&parts[4 * MYTHREAD])->id++, 4);
        float *fx = ((struct part *)&parts[4 * MYTHREAD])->x;
        CHECK(fx[0] == 1.5f);
    }
    return finish();
}
