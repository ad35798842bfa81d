// threads: 1 2 3 4 7
// Structures as systems programs write them: flexible and empty arrays, packed, aligned, anonymous
// members, functions in shared memory.
#include <upc.h>
#include <stddef.h>
#include <string.h>
#include "check.h"

struct flex {
    int n;
    double data[];
};

struct zero {
    int n;
    char tail[0];
};

struct __attribute__((packed)) pk {
    char c;
    int i;
    shared int *p;
    short s;
};

struct al {
    char c;
    int x __attribute__((aligned(32)));
} __attribute__((aligned(64)));

struct bits {
    unsigned a : 3, b : 7;
    int : 0;
    signed c : 9;
    unsigned long long d : 40;
    _Bool e : 1;
};

typedef struct obj {
    int (*fn)(shared struct obj *, int);

    union {
        int i;

        struct {
            short lo, hi;
        };
        shared struct obj *o;
    };

    struct {
        int deep;
    } named;

    int m[2][3];
} obj_t;

shared obj_t objs[2 * THREADS];
shared struct pk packed[THREADS];
shared [2] struct al aligned_[2 * THREADS];
shared struct bits bits[THREADS];
shared [] struct flex *fl;
shared struct flex *shared heads[THREADS];
shared struct zero zs[THREADS];

shared struct {
    struct {
        struct {
            int v[2];
        } c;
    } b;
} deep[THREADS];

shared struct {
    char pad[3];
} odd[5 * THREADS];

typedef struct {
    char s[13];
} str13;

shared [4] str13 strs[4 * THREADS];

static int call(shared obj_t *o, int x) { return o->i + x; }

static int call2(shared obj_t *o, int x) { return o->named.deep * x; }

int main()
{
    int i, t = (MYTHREAD + 1) % THREADS;
    volatile int nine = 9;
    shared obj_t *o = &objs[MYTHREAD], *q;
    o->fn = call;
    o->i = 3;
    o->named.deep = MYTHREAD;
    objs[MYTHREAD + THREADS].fn = &call2;
    objs[MYTHREAD + THREADS].named.deep = 5;
    objs[MYTHREAD + THREADS].o = o;
    for (i = 0; i < 6; i++)
        o->m[i / 3][i % 3] = i;
    upc_barrier;
    CHECK_EQUAL(objs[t].fn(&objs[t], 4), 7);
    CHECK_EQUAL((*objs[t + THREADS].fn)(&objs[t + THREADS], 4), 20);
    CHECK_EQUAL(o->fn(o, 1), 4);
    q = &objs[t + THREADS];
    CHECK_EQUAL(q->fn(q, q->o->named.deep), 5 * t);
    CHECK_EQUAL(q->o->fn(q->o, 1), 4);
    CHECK_EQUAL(q->o->lo, 3);
    CHECK_EQUAL(q->o->m[1][2], 5);
    CHECK_EQUAL(*(q->o->m[1] + 1), 4);
    CHECK_EQUAL((*(q->o)).m[0][1], 1);
    {
        int (*f)(shared obj_t *, int) = objs[t].fn;
        CHECK_EQUAL(f(q->o, 0), 3);
        shared [] int(*row)[3] = q->o->m;
        CHECK_EQUAL(row[1][1], 4);
        shared [] int *flat = &q->o->m[0][0];
        CHECK_EQUAL(flat[5], 5);
        CHECK_EQUAL(q->o->m[1] - q->o->m[0], 3);
        CHECK_EQUAL(sizeof q->o->m, 24);
        CHECK_EQUAL(sizeof(objs[0].m[0]), 12);
    }
    upc_barrier;
    o->lo++;
    o->hi = 2;
    o->m[1][0] *= 10;
    o->m[0][2]--;
    CHECK(o->i == 0x20004 && o->m[1][0] == 30 && o->m[0][2] == 1);
    packed[MYTHREAD].i = 7;
    packed[MYTHREAD].s = -1;
    packed[MYTHREAD].i++;
    CHECK_EQUAL(sizeof packed[0], 23);
    CHECK_EQUAL(sizeof(struct pk), 23);
    upc_barrier;
    CHECK(packed[t].i == 8 && packed[t].s == -1 && !packed[t].p);
    CHECK_EQUAL((char *)&packed[MYTHREAD].i - (char *)&packed[MYTHREAD], 1);
    CHECK_EQUAL(offsetof(struct pk, s), 21);
    CHECK_EQUAL(sizeof aligned_[0], 64);
    aligned_[2 * MYTHREAD + 1].x = MYTHREAD;
    upc_barrier;
    CHECK_EQUAL(aligned_[2 * t + 1].x, t);
    CHECK_EQUAL(upc_addrfield(&aligned_[2 * t + 1]) - upc_addrfield(&aligned_[2 * t]), 64);
    CHECK_EQUAL((unsigned long)(struct al *)&aligned_[2 * MYTHREAD] % 64, 0);
    bits[MYTHREAD].a = nine;
    bits[MYTHREAD].b = 100;
    bits[MYTHREAD].c = -5;
    bits[MYTHREAD].d = 1ULL << 39;
    bits[MYTHREAD].e = 4;
    upc_barrier;
    CHECK(bits[t].a == 1 && bits[t].b == 100 && bits[t].c == -5 && bits[t].d >> 39 == 1 && bits[t].e);
    upc_barrier;
    bits[MYTHREAD].b += 50;
    bits[MYTHREAD].c--;
    ++bits[MYTHREAD].a;
    bits[MYTHREAD].d |= 1;
    CHECK(bits[MYTHREAD].b == 22 && bits[MYTHREAD].c == -6 && bits[MYTHREAD].a-- == 2 &&
          bits[MYTHREAD].d & 1);
    {
        struct bits l = bits[MYTHREAD];
        l.c = 3;
        bits[MYTHREAD] = l;
        CHECK_EQUAL(bits[MYTHREAD].c, 3);
        shared struct bits *pb = &bits[MYTHREAD];
        pb->c ^= 1;
        CHECK_EQUAL(pb->c, 2);
        (*pb).e = 0;
        CHECK(!pb->e);
        CHECK((pb->a = 7) == 7 && pb->a == 7);
    }
    fl = upc_alloc(sizeof(struct flex) + 5 * sizeof(double));
    fl->n = 5;
    for (i = 0; i < 5; i++)
        fl->data[i] = i;
    heads[MYTHREAD] = (shared struct flex *)fl;
    upc_barrier;
    CHECK(heads[t]->data[4] == 4 && *heads[t]->data == 0 && heads[t]->n == 5);
    CHECK_EQUAL(sizeof(struct flex), sizeof *fl);
    deep[MYTHREAD].b.c.v[1] = 8;
    deep[MYTHREAD].b.c.v[1]++;
    CHECK_EQUAL(deep[MYTHREAD].b.c.v[1], 9);
    {
        shared [] int *pv = deep[MYTHREAD].b.c.v;
        CHECK_EQUAL(pv[1], 9);
        CHECK_EQUAL(upc_threadof(&deep[t].b.c.v[1]), t);
    }
    CHECK_EQUAL(sizeof odd[0], 3);
    odd[THREADS + MYTHREAD].pad[2] = 1;
    CHECK_EQUAL(&odd[4 * THREADS] - &odd[THREADS], 3 * THREADS);
    CHECK_EQUAL(upc_addrfield(&odd[THREADS]) - upc_addrfield(&odd[0]), 3);
    strcpy((char *)strs[4 * MYTHREAD + 3].s, "hello world!");
    upc_barrier;
    CHECK_EQUAL(strs[4 * t + 3].s[11], '!');
    {
        str13 s = strs[4 * t + 3];
        CHECK(!strcmp(s.s, "hello world!"));
        shared [4] str13 *ps = strs;
        ps += 4 * t + 3;
        CHECK_EQUAL(ps->s[0], 'h');
        CHECK_EQUAL(upc_threadof(ps), t);
        CHECK_EQUAL(*ps->s, 'h');
        CHECK(!strncmp((char *)strs[4 * MYTHREAD + 3].s + 6, "world", 5));
    }
    zs[MYTHREAD].n = 1;
    CHECK_EQUAL(sizeof zs[0], 4);
    return finish();
}
