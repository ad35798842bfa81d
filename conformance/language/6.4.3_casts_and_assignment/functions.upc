// threads: 1 2 3 4
// Pointers-to-shared as arguments and results: prototypes, pointers to functions, undeclared and variadic functions.
#include <upc.h>
#include <stdarg.h>
#include <stdlib.h>
#include "check.h"

shared [3] int b[6 * THREADS];
shared int c[2 * THREADS];

shared [3] int *advance(shared [3] int *p, int n)
{
    return p + n;
}

static int sum(shared int *p, int n)
{
    return n == 0 ? 0 : *p + sum(p + 1, n - 1);
}

static void store(shared int p[], int i, int value)
{
    p[i] = value;
}

static void swap(shared [3] int **p, shared [3] int **q)
{
    shared [3] int *t = *p;

    *p = *q;
    *q = t;
}

static int variadic(int n, ...)
{
    va_list arguments;
    int i, result = 0;

    va_start(arguments, n);
    for (i = 0; i < n; i++) {
        shared int *p = va_arg(arguments, shared int *);
        int factor = va_arg(arguments, int);

        result += factor * *p;
    }
    va_end(arguments);
    return result;
}

typedef int (*visit_t)(shared int *, void *);

static int add(shared int *p, void *total)
{
    *(int *)total += *p;
    return 1;
}

static int each(visit_t visit, shared int *from, shared int *to, void *context)
{
    int n = 0;

    for (; from < to; ++from)
        n += visit(from, context);
    return n;
}

static shared int *(*chosen(int which))(int);

static shared int *first(int i)
{
    return &c[i];
}

static shared int *second(int i)
{
    return c + THREADS + i;
}

static shared int *(*chosen(int which))(int)
{
    return which ? second : &first;
}

int no_prototype();

int main(void)
{
    int i, total = 0;
    shared [3] int *p = b, *q;

    if (MYTHREAD == 0)
        for (i = 0; i < 2 * THREADS; i++)
            store(c, i, i + 1);
    upc_barrier;
    CHECK_EQUAL(sum(c, 2 * THREADS), THREADS * (2 * THREADS + 1));
    CHECK(advance(p, 5) == &b[5] && *advance(b, 2) == 0);
    CHECK(advance(advance(p, 5), -5) == b);
    CHECK_EQUAL(upc_phaseof(advance(p, 5)), 2);
    q = advance(p, 1);
    swap(&p, &q);
    CHECK(q == b && p == b + 1);
    CHECK_EQUAL(variadic(2, &c[0], 10, &c[1], 1), 12);
    CHECK_EQUAL(each(add, c, c + THREADS, &total), THREADS);
    CHECK_EQUAL(total, THREADS * (THREADS + 1) / 2);
    visit_t visits[2] = {add, NULL};
    total = 0;
    CHECK(visits[0](&c[1], &total) && (*visits[0])(&c[1], &total));
    CHECK_EQUAL(total, 4);
    CHECK_EQUAL(*chosen(0)(1), 2);
    CHECK_EQUAL(*(*chosen(1))(0), THREADS + 1);
    CHECK_EQUAL(no_prototype(&c[1], 3, p), 6);
    return finish();
}

int no_prototype(shared int *p, int factor, shared [3] int *q)
{
    return q == &b[1] ? factor * *p : -1;
}
