// threads: 1 2 3 4
// The many ways to write a declaration with shared in it.
#include <upc.h>
#include "check.h"

shared int a, *p, b[THREADS], *shared q, *shared r[THREADS];
int shared order;
const shared int constant;
shared const volatile unsigned long int many_qualifiers;
static shared int internal[2 * THREADS];
shared [2] int x2[2 * THREADS], *p2, (*pairs)[2];
shared [2] int grid[2 * THREADS][2];
relaxed shared int relaxed_one;
strict shared int strict_one;
int strict shared strict_two;
strict shared [3] int blocked_strict[3 * THREADS];
extern shared int declared_only[];
extern shared [2] int declared_too[];
shared int declared_only[THREADS];
shared [2] int declared_too[4 * THREADS];
shared int tentative[THREADS];
shared int tentative[THREADS];
shared struct point {
    int x, y;
} origin, points[THREADS];
shared struct {
    int anonymous;
} nameless;
struct point private_point;
shared enum { NO, YES } answer;
int plain, *pointer = &plain, array[3];
shared int *function(shared int *a, int n), another;

shared int *function(shared int *a, int n)
{
    return a + n;
}

int main(void)
{
    register int i = 0;
    shared int *local = b, *second;
    static shared int block_scope;
    static shared [2] int block_array[4 * THREADS];
    auto shared [2] int *automatic = x2;

    CHECK_EQUAL(upc_threadof(&r[THREADS - 1]), THREADS - 1);
    CHECK_EQUAL(upc_threadof(&q), 0);
    p = &a;
    CHECK_EQUAL(internal[2 * THREADS - 1], 0);
    p2 = &x2[1];
    pairs = &grid[1];
    second = local + 1;
    if (MYTHREAD == 0) {
        q = &b[0];
        r[0] = b;
        a = 1, order = 2, relaxed_one = 3, strict_one = 4, strict_two = 5;
        origin.x = 6, nameless.anonymous = 7, answer = YES;
        block_scope = 8;
    }
    b[MYTHREAD] = 100 + MYTHREAD;
    points[MYTHREAD].y = MYTHREAD;
    declared_only[MYTHREAD] = declared_too[4 * MYTHREAD] = MYTHREAD;
    block_array[4 * MYTHREAD + 3] = MYTHREAD;
    tentative[MYTHREAD] = 3;
    upc_barrier;
    CHECK_EQUAL(a + order + relaxed_one + strict_one + strict_two, 15);
    CHECK_EQUAL(origin.x + nameless.anonymous + answer + block_scope, 22);
    CHECK(*p == 1 && q == b && *q == 100 && r[0] == &b[0]);
    CHECK(second - local == 1);
    for (i = 0; i < THREADS; i++) {
        CHECK_EQUAL(points[i].y, i);
        CHECK_EQUAL(declared_too[4 * i], i);
        CHECK_EQUAL(block_array[4 * i + 3], i);
        CHECK_EQUAL(*function(b, i), 100 + i);
    }
    CHECK_EQUAL(constant + many_qualifiers, 0);
    CHECK_EQUAL(upc_threadof(&blocked_strict[3]), 1 % THREADS);
    CHECK(automatic == x2 && p2 == x2 + 1);
    CHECK_EQUAL(&(*pairs)[1] - &grid[0][0], 3);
    CHECK_EQUAL(*pointer + array[0] + private_point.x, 0);
    return finish();
}
