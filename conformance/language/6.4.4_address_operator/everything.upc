// threads: 1 2 3 4 7
// & on all that is shared: elements, rows, members, elements of members, behind pointers and parentheses;
// and * of it.
#include <upc.h>
#include "check.h"

struct in {
    short s[3];
    char c;
};

typedef struct {
    int a;
    struct in in[2];

    struct {
        float f;
    } anon;

    shared int *sp;
    int *lp;
} st;

shared st one, many[3 * THREADS];
shared [2] st blk[4 * THREADS];
shared [] st *ind;
shared st *ptr;
shared [2] st *pb;
shared int x, arr[4 * THREADS];
shared [4] double mat[2 * THREADS][4];

static short read_short(shared [] short *p) { return *p; }

static void write_char(shared [] char *p, char v) { *p = v; }

static shared [] struct in *inner(shared st *p, int i) { return &p->in[i]; }

int main(void)
{
    int i;
    shared st *p = &many[MYTHREAD];
    shared [] short *ps;
    shared [] struct in *pi;
    shared [] float *pf;
    shared int **pps;
    shared [] int *pa;
    shared [] struct in(*pin)[2];
    shared [4] double(*row)[4];
    p->a = 1;
    p->in[0].s[2] = 2;
    p->in[1].s[0] = 3;
    p->in[1].c = 'q';
    p->anon.f = 4.5f;
    p->sp = &arr[MYTHREAD];
    arr[MYTHREAD] = 6;
    ps = &p->in[0].s[2];
    CHECK_EQUAL(*ps, 2);
    ps = p->in[1].s;
    CHECK_EQUAL(*ps, 3);
    CHECK_EQUAL(read_short(&p->in[0].s[2]), 2);
    CHECK_EQUAL(read_short(p->in[0].s + 2), 2);
    CHECK_EQUAL(read_short(&(*p).in[1].s[0]), 3);
    CHECK_EQUAL(read_short(&many[MYTHREAD].in[1].s[0]), 3);
    write_char(&p->in[1].c, 'r');
    CHECK_EQUAL(p->in[1].c, 'r');
    write_char(&inner(p, 1)->c, 's');
    CHECK_EQUAL(many[MYTHREAD].in[1].c, 's');
    CHECK_EQUAL(inner(p, 1)->s[0], 3);
    CHECK_EQUAL((*inner(&many[MYTHREAD], 0)).s[2], 2);
    CHECK_EQUAL(inner(p, 0)[1].s[0], 3);
    CHECK_EQUAL((inner(p, 0) + 1)->c, 's');
    pi = &p->in[1];
    CHECK_EQUAL(pi->s[0], 3);
    CHECK_EQUAL(pi[-1].s[2], 2);
    CHECK_EQUAL((--pi)->s[2], 2);
    CHECK(pi == p->in && pi == &p->in[0] && pi + 1 == &p->in[1]);
    CHECK_EQUAL(&p->in[1] - p->in, 1);
    pf = &p->anon.f;
    CHECK(*pf == 4.5f);
    pin = &p->in;
    CHECK_EQUAL((*pin)[1].s[0], 3);
    CHECK_EQUAL(pin[0][1].c, 's');
    pa = &p->a;
    *pa += 1;
    CHECK_EQUAL(p->a, 2);
    CHECK_EQUAL(*&p->a, 2);
    CHECK_EQUAL(*&*&p->a, 2);
    CHECK_EQUAL((&p->in[0])[1].s[0], 3);
    CHECK_EQUAL((&(&p->in[0])[1])->s[0], 3);
    CHECK_EQUAL(*p->sp, 6);
    *p->sp = 7;
    CHECK_EQUAL(p->sp[0], 7);
    CHECK_EQUAL(*(p->sp + 0), 7);
    CHECK(&*p->sp == &arr[MYTHREAD]);
    CHECK(&p->sp[THREADS] == &arr[MYTHREAD + THREADS]);
    CHECK_EQUAL(upc_threadof(&p->sp[1]), (MYTHREAD + 1) % THREADS);
    {
        shared int *shared [] *psp = &p->sp;
        CHECK(*psp == &arr[MYTHREAD] && **psp == 7);
        (*psp)++;
        CHECK(p->sp == &arr[MYTHREAD] + 1);
        p->sp--;
    }
    CHECK_EQUAL(upc_threadof(&p->in[1].c), MYTHREAD);
    CHECK_EQUAL(upc_phaseof(&p->in[1].c), 0);
    CHECK_EQUAL(upc_phaseof(&blk[3].in[1]), 0);
    CHECK_EQUAL(upc_phaseof(&blk[3]), 1);
    CHECK_EQUAL(upc_addrfield(&p->in[0]) - upc_addrfield(p), 4);
    CHECK_EQUAL(upc_addrfield(&p->anon) - upc_addrfield(&p->a), sizeof(int) + 2 * sizeof(struct in));
    CHECK((shared void *)&p->a == (shared void *)p);
    pb = &blk[2 * MYTHREAD + 1];
    pb->a = 9;
    CHECK_EQUAL(blk[2 * MYTHREAD + 1].a, 9);
    CHECK_EQUAL((&blk[2 * MYTHREAD])[1].a, 9);
    CHECK_EQUAL((pb - 1)[1].a, 9);
    CHECK_EQUAL((&pb[-1] + 1)->a, 9);
    ind = (shared [] st *)pb;
    CHECK_EQUAL(ind->a, 9);
    ind--;
    CHECK_EQUAL(ind[1].a, 9);
    CHECK(&ind[1].a == &pb->a);
    ptr = &one;
    CHECK(&(*ptr) == &one && &ptr[0] == ptr && &*ptr == ptr && &(ptr->a) == &one.a && &(one) == ptr &&
          (&one)->a == 0);
    CHECK(&arr[2] == arr + 2 && &2 [arr] == &arr[2] && *&arr[2] == arr[2] && &(arr[1]) + 1 == &arr[2] &&
          &*(arr + 1) == &arr[1]);
    CHECK(&x == &(x) && *&x == 0 && &(*&x) == &x);
    row = &mat[THREADS];
    CHECK(row == mat + THREADS && *row == mat[THREADS] && &(*row)[1] == &mat[THREADS][1] && **row == 0 &&
          &row[0][0] == *row);
    CHECK_EQUAL(upc_threadof(&(*row)[3]), 0);
    CHECK(&mat[1] - &mat[0] == 1 && &mat[1][0] - &mat[0][0] == 4 && *(mat + 1) == mat[1] &&
          &mat[0][5] == &mat[1][1]);
    {
        int *lp = (int *)&p->a;
        CHECK_EQUAL(*lp, 2);
        struct in *li = (struct in *)&p->in[1];
        CHECK_EQUAL(li->c, 's');
        li->s[1] = 8;
        CHECK_EQUAL(p->in[1].s[1], 8);
        short *ls = (short *)p->in[1].s;
        CHECK_EQUAL(ls[1], 8);
        CHECK_EQUAL(((st *)p)->in[1].s[1], 8);
        CHECK_EQUAL(((st *)&many[MYTHREAD])->a, 2);
        ((st *)p)->lp = &i;
        i = 5;
        CHECK_EQUAL(*p->lp, 5);
        *p->lp = 6;
        CHECK_EQUAL(i, 6);
        CHECK_EQUAL(*((st *)p)->sp, 7);
        CHECK_EQUAL(p->lp[0], 6);
    }
    return finish();
}
