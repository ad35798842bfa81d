// threads: 1 2 3 4 7
// Pointers-to-shared in private containers: tables of several dimensions, malloc, qsort, compound
// literals, designators.
#include <upc.h>
#include <stdlib.h>
#include <string.h>
#include <stdbool.h>
#include <stdint.h>
#include "check.h"
shared int c[6 * THREADS];
shared [3] int b[6 * THREADS];
typedef shared int *ip;

struct e {
    int k;
    ip p;

    struct {
        ip q[2];
        shared [3] int *r;
    } in;
};
struct e table[] = {{1, c}, {.in.q[1] = &c[2], .k = 3, .p = NULL}, [3].in.r = &b[4], [3].p = c + 1};
static ip grid[2][3] = {{c, &c[1]}, {[2] = &c[5], [0] = 0}};
static ip *const pgrid = grid[1];
ip *rows[] = {grid[0], grid[1]};

static int by_value(const void *x, const void *y)
{
    ip p = *(const ip *)x, q = *(ip const *)y;
    return *p - *q;
}

static int by_where(const void *x, const void *y) { return (*(ip *)x > *(ip *)y) - (*(ip *)x < *(ip *)y); }

static int sum(ip *v, int n)
{
    int s = 0;
    while (n--)
        s += **v++;
    return s;
}

static bool yes(ip p) { return p; }

static _Bool no(ip p) { return !p; }

static int diff(ip p, ip q) { return p - q; }

static long sum_null(const ip v[])
{
    long s = 0;
    for (; *v; v++)
        s += **v;
    return s;
}

static ip *dup_all(ip *v, int n)
{
    ip *r = malloc(n * sizeof *r);
    memcpy(r, v, n * sizeof(ip));
    return r;
}

int main(void)
{
    int i, n = 6 * THREADS;
    ip *v = calloc(n, sizeof(ip)), *w;
    ip(*m)[3] = grid;
    bool flag;
    struct e *pe;
    upc_forall (i = 0; i < n; i++; &c[i])
        c[i] = (i * 7 + 3) % n;
    upc_forall (i = 0; i < n; i++; &b[i])
        b[i] = i;
    upc_barrier;
    for (i = 0; i < n; i++) {
        CHECK(v[i] == NULL);
        v[i] = &c[n - 1 - i];
    }
    qsort(v, n, sizeof *v, by_where);
    for (i = 0; i < n; i++)
        CHECK(v[i] == &c[i]);
    qsort(v, n, sizeof(ip), by_value);
    for (i = 1; i < n; i++)
        CHECK(*v[i - 1] <= *v[i]);
    CHECK_EQUAL(sum(v, n), sum(dup_all(v, n), n));
    v = realloc(v, (n + 2) * sizeof *v);
    v[n] = v[0];
    v[n + 1] = NULL;
    CHECK(*v[n] == *v[0]);
    CHECK_EQUAL(sum_null(v) - *v[n], sum(v, n));
    memset(v, 0, n * sizeof *v);
    CHECK(v[2] == 0 && !v[1]);
    w = v + 1;
    *w++ = c;
    *w = c + 1;
    w[1] = c + 2;
    CHECK_EQUAL(w[1] - w[-1], 2);
    CHECK(*(*w + 1) == c[2]);
    CHECK((*w)[1] == c[2]);
    CHECK(*w[1] == c[2]);
    free(v);
    CHECK(table[0].p == c && table[1].in.q[1] == &c[2] && table[1].k == 3 && !table[1].in.q[0] &&
          table[2].p == NULL && table[3].in.r == &b[4] && table[3].p == &c[1] &&
          sizeof table / sizeof *table == 4);
    CHECK_EQUAL(upc_phaseof(table[3].in.r), 1);
    CHECK_EQUAL(*++table[3].in.r, 5);
    CHECK(grid[0][1] == &c[1] && grid[1][2] == &c[5] && !grid[1][0] && m[1][2] == &c[5] &&
          pgrid[2] == &c[5] && rows[1][2] == m[1][2] && *rows[0] == c);
    flag = c + 1;
    CHECK(flag);
    flag = table[2].p;
    CHECK(!flag);
    flag = !!grid[0][0];
    CHECK(flag);
    CHECK(yes(c) && !no(c) && no(NULL) && !yes(0));
    i = grid[0][0] != NULL;
    CHECK_EQUAL(i, 1);
    i = !grid[1][0] == 1;
    CHECK(i);
    CHECK_EQUAL(diff(grid[0][1], grid[0][0]), 1);
    int neg = !c;
    CHECK(!neg);
    CHECK((bool)c && !(bool)table[2].p);
    while (!table[2].p)
        table[2].p = c;
    CHECK_EQUAL(sum((ip[]){c, c + 1, &c[2]}, 3), *c + c[1] + c[2]);
    CHECK_EQUAL(sum_null((ip[]){c, c + 2, NULL}), c[0] + c[2]);
    CHECK_EQUAL(*(ip){c + 3}, c[3]);
    pe = &(struct e){.p = c + 4, .in = {.q = {[1] = c}}};
    CHECK(*pe->p == c[4] && pe->in.q[1] == c && !pe->in.q[0] && pe->in.r == NULL);
    *pe = (struct e){2, c};
    CHECK(pe->k == 2 && pe->p == c);
    pe->in.q[0] = pe->in.q[1] = pe->p + 1;
    CHECK(pe->in.q[0] == &c[1]);
    CHECK((uintptr_t)c != 0 && (long long)&c[0] == (long)c && (int)(size_t)NULL == 0 &&
          (uintptr_t)&c[2] == (uintptr_t)(c + 2) && (unsigned long)table[1].p == 0);
    CHECK((int)(long)&b[0] == (int)(intptr_t)(shared void *)b);
    {
        ip vla[n];
        ip two[2][THREADS];
        for (i = 0; i < n; i++)
            vla[i] = c + i;
        for (i = 0; i < THREADS; i++)
            two[1][i] = vla[i];
        CHECK(two[1][THREADS - 1] == &c[THREADS - 1]);
        CHECK_EQUAL(sizeof vla, n * sizeof(ip));
        ip *e = vla + n;
        CHECK_EQUAL(*e[-1], c[n - 1]);
        ip(*pv)[n] = &vla;
        CHECK((*pv)[1] == c + 1);
    }
    register ip r = c;
    volatile ip vp = c;
    const ip cp = c + 1;
    ip const *pcp = &cp;
    static ip s1, s2 = c + 2, *s3 = &s2;
    CHECK(*r == *vp && **pcp == c[1] && s1 == NULL && *s3 == &c[2]);
    auto ip ap = *s3;
    CHECK(ap == s2);
    ip x = c, y = x, *z = &y;
    x++;
    CHECK(*z == c && x == y + 1);
    extern ip later;
    CHECK(later == &c[3]);
    __auto_type at = c + 1;
    CHECK(*at == c[1] && at - c == 1);
    return finish();
}

ip later = &c[3];
