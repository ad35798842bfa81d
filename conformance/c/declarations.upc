// threads: 1 3
// flags: -w
// Declarations that are rarely written but are C: implicit int, attributes in every place, old-style nested functions,
// parameters declared beforehand, labels before declarations and at the end of blocks.
#include <upc.h>
#include "check.h"

#ident "a comment in the object"
const implicit = 3;
static counter;
__extension__ _Static_assert(sizeof(int) == 4, "");
[[]];
[[maybe_unused]] int attributed [[maybe_unused]] = 4;
struct [[]] s { [[]] long [[]] *a[[]] [3] [[]] [4], b[[]]; };
enum [[]] { E1 [[]][[]], E2[[]][[]] = 3 };
shared [2] struct s places[2 * THREADS];
void parenthesised(int (__attribute__((unused)) int a));
int parameters([[]] int x [[]], [[]] long [[]], int [[]] (int)[[]]) [[]];
struct unended { struct { int inside; } };
int (*table[2])(int), (*(*pick(int))[2])(int);

int beforehand(int n; int a[n][n], int n)
{
    return sizeof a[0] / sizeof(int) + a[0][n - 1];
}

int twice(int x) { return 2 * x; }
int (*(*pick(int i))[2])(int)
{
    return &table;
}

old(a, b)
    char a;
    double b;
{
    int inner(c, d) int c; short d; { return c * d; }
    return inner(a, (short)b);
}

int labels(int n)
{
    static const *p = &implicit;
    switch (n) {
    case 0: case 1: case 2: default: ;
        int declared = n;
        n = declared + *p;
        goto end;
    }
    switch (n) {
    case 1:
        if (n)
            n++;
        else
            __attribute__((fallthrough));
    case 2:;
    }
    [[maybe_unused]] out: [[maybe_unused]] int unused;
    if (n) [[]] n++; else [[]] { [[]]; }
    for ([[]] int i = 0; i < 2; i++) [[]] n++;
    for (_Static_assert(1, ""); n < 100; n++)
        ;
    n += (({ goto end; }), 1);
end:
}

int main(void)
{
    int a[2][2] = {{1, 2}, {3, 4}};
    counter++;
    table[1] = twice;
    CHECK(implicit == 3 && counter == 1 && attributed == 4 && E2 == 3);
    CHECK_EQUAL(beforehand(a, 2), 4);
    CHECK_EQUAL((*pick(0))[1](21), 42);
    CHECK_EQUAL(old(6, 7.0), 42);
    labels(1);
    CHECK(__builtin_has_attribute(int, aligned) == 0 && __builtin_has_attribute(&a, packed) == 0);
    places[2 * MYTHREAD].b = MYTHREAD;
    upc_barrier;
    CHECK_EQUAL(places[2 * ((MYTHREAD + 1) % THREADS)].b, (MYTHREAD + 1) % THREADS);
    return finish();
}
