// threads: 1 2 3 4 7
// Shared objects at block scope: static with initialisers of every kind, of types that are local, in nested blocks.
#include <upc.h>
#include "check.h"

#define N 3

static int counted(void)
{
    static shared int calls = 5;
    int before;

    upc_barrier;
    before = calls;
    upc_barrier;
    if (MYTHREAD == 0)
        calls++;
    upc_barrier;
    return before;
}

static int local_type(int i)
{
    struct pair { int a; double b; };
    static shared struct pair pairs[THREADS] = {{7, 0.5}};
    static shared [] struct pair one[2] = {{1, 1.5}, {2, 2.5}};
    static shared struct pair single = {.b = 4.5};
    typedef int row[2];
    static shared [] row rows[2] = {{1, 2}, {3, 4}};
    enum { A = 3, B };
    static shared [B] int blocked[B * THREADS] = {[A] = 9};

    CHECK(single.a == 0 && single.b == 4.5);
    CHECK(one[0].a == 1 && one[1].b == 2.5);
    CHECK_EQUAL(rows[1][0], 3);
    CHECK_EQUAL(blocked[A], 9);
    CHECK_EQUAL(blocked[0], 0);
    return pairs[i].a;
}

static int same_name(void)
{
    static shared int x = 1;
    {
        static shared int x = 2;
        {
            static shared int x = 4;
            CHECK_EQUAL(x, 4);
        }
        CHECK_EQUAL(x, 2);
    }
    return x;
}

static shared int *address(void)
{
    static shared int hidden[THREADS];

    return &hidden[MYTHREAD];
}

shared int counts[2 * THREADS];
struct holder { int n; shared [] int *p; };

static int addresses(void)
{
    static shared [] int values[4] = {3, 4, 5};
    static shared [] int *in_block = &values[1];
    static struct holder member = {1, values + 2};
    static shared [] int *shared in_shared = &values[2];
    static const struct { int n; struct { shared [] int *p[2]; } in; } of_block[] = {{1, {{values + 3, values}}}, {2}};
    static shared [] int *first = values, **to_first = &first, *const none = 0;
    CHECK(*of_block[0].in.p[0] == 0 && *of_block[0].in.p[1] == 3 && of_block[1].n == 2 && !of_block[1].in.p[1]);
    CHECK(**to_first == 3 && none == NULL);
    {
        extern shared int counts[];
        static shared int *outside = &counts[1];
        static shared int counts_of_block[THREADS];
        static shared int *last = counts_of_block;

        CHECK(outside == &counts[1] && last == &counts_of_block[0]);
    }
    return *in_block * 100 + *member.p * 10 + *in_shared;
}

int main(void)
{
    int i;

    CHECK_EQUAL(addresses(), 455);

    for (i = 0; i < 3; i++)
        CHECK_EQUAL(counted(), 5 + i);
    CHECK_EQUAL(local_type(0), 7);
    CHECK_EQUAL(same_name(), 1);
    *address() = MYTHREAD + 1;
    upc_barrier;
    CHECK_EQUAL(*address(), MYTHREAD + 1);
    CHECK_EQUAL(upc_threadof(address()), MYTHREAD);
    for (i = 0; i < N; i++) {
        static shared int in_loop[THREADS];

        in_loop[MYTHREAD] += i;
        CHECK_EQUAL(in_loop[MYTHREAD], i * (i + 1) / 2);
    }
    return finish();
}
