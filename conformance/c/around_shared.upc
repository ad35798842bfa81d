// threads: 1 2 3 4 7
// GNU C around shared accesses: _Generic, choose_expr, computed goto, asm, alloca, nested functions,
// thread-local storage.
#include <upc.h>
#include <string.h>
#include "check.h"
shared int x = 3;
shared double d = 1.5;
shared [4] int b[4 * THREADS];

shared struct {
    int v;
} st = {6};

static __thread int tls = 4;
shared [] int idx[4];
#define KIND(e) _Generic((e), int : 1, double : 2, float : 3, default : 4)
#define IS_INT(e) __builtin_types_compatible_p(__typeof__(e), int)

static inline int asm_add(int a, int c)
{
    int r;
    __asm__ volatile("addl %2, %0" : "=r"(r) : "0"(a), "r"(c) : "cc");
    return r;
}

static int computed(int n)
{
    static void *const jump[] = {&&zero, &&one, &&two};
    goto *jump[n];
zero:
    return x;
one:
    return x + 1;
two:
    return b[0];
}

__attribute__((noinline, pure)) static int pure_one(shared int *p) { return *p; }

__attribute__((noreturn)) static void never(void)
{
    for (;;)
        upc_global_exit(3);
}

int main()
{
    int i;
    upc_barrier;
    CHECK_EQUAL(KIND(x), 1);
    CHECK_EQUAL(KIND(d), 2);
    CHECK_EQUAL(KIND((float)d), 3);
    CHECK_EQUAL(KIND(x + d), 2);
    CHECK_EQUAL(KIND(st), 4);
    CHECK_EQUAL(_Generic(b[0], int : x, default : 0), 3);
    CHECK_EQUAL(__builtin_choose_expr(1, x, d), 3);
    CHECK(__builtin_expect(x == 3, 1));
    CHECK(!__builtin_constant_p(x));
    CHECK(IS_INT(i));
    CHECK_EQUAL(asm_add(x, st.v), 9);
    __asm__ volatile("" : : "r"(x), "m"(i) : "memory");
    CHECK_EQUAL(computed(0) + computed(1) + computed(2), 7);
    CHECK_EQUAL(pure_one(&x), 3);
    if (x == 99)
        never();
    int *al = __builtin_alloca(x * sizeof(int));
    al[2] = x;
    CHECK_EQUAL(al[2], 3);
    int vla[x][st.v];
    vla[2][5] = 1;
    CHECK_EQUAL(sizeof vla, 72);
    CHECK_EQUAL(tls, 4);
    tls = MYTHREAD;
    CHECK_EQUAL(tls, MYTHREAD);
    int nested(int k) { return k + x + i; }
    i = 1;
    CHECK_EQUAL(nested(2), 6);
    if (__builtin_add_overflow(x, 2147483647, &i))
        CHECK(1);
    else
        CHECK(0);
    CHECK_EQUAL(__builtin_popcount(x), 2);
    CHECK_EQUAL(__builtin_abs(-x), 3);
    {
        __label__ out;
        for (i = 0; i < 10; i++)
            if (i == x)
                goto out;
    out:
        CHECK_EQUAL(i, 3);
    }
    CHECK_EQUAL(({
                    int t = x;
                    t * 2;
                }) + ({ st.v; }),
                12);
    _Static_assert(sizeof(int) == 4, "int");
    char s[10];
    memset(s, x, sizeof s);
    CHECK_EQUAL(s[9], 3);
    CHECK_EQUAL((x, st.v), 6);
    i = x ?: 5;
    CHECK_EQUAL(i, 3);
    CHECK_EQUAL(x ?: 1, 3);
    switch (x) {
    case 1 ... 5:
        i = 0;
        break;
    default:
        i = 1;
    }
    CHECK_EQUAL(i, 0);
    long long big = 1LL << (x + 30);
    CHECK(big == 1LL << 33);
    CHECK_EQUAL(sizeof(x), 4);
    CHECK_EQUAL(sizeof x + sizeof(d), 12);
    CHECK_EQUAL(__alignof__(d), 8);
    CHECK_EQUAL(_Alignof(shared double), 8);
    CHECK_EQUAL(sizeof(shared int), 4);
    CHECK_EQUAL(sizeof(typeof(x)), 4);

    struct {
        typeof(x) m;
        int n[sizeof(x)];
    } loc = {x, {x}};

    CHECK_EQUAL(loc.m + loc.n[0], 6);
    for (i = 0; i < 4; i++) {
        if (MYTHREAD == 0)
            idx[i] = (i + 1) % 4;
    }
    upc_barrier;
    CHECK_EQUAL(idx[idx[idx[idx[0]]]], 0);
    CHECK_EQUAL(0 [idx], 1);
    CHECK_EQUAL((idx)[1], 2);
    CHECK_EQUAL(*&idx[2], 3);
    CHECK_EQUAL(*&*&idx[3], 0);
    CHECK_EQUAL((&idx[1])[-1], 1);
    CHECK_EQUAL(-idx[0] + ~idx[1] * !idx[3], -4);
    CHECK_EQUAL(idx[0] << idx[1] | idx[2], 7);
    CHECK(idx[0]<idx[1] == idx[1]> idx[0] && idx[2] >= 3 && idx[3] <= 0 && idx[0] != idx[1]);
    CHECK_EQUAL((char)(idx[2] + 254), 1);
    CHECK_EQUAL((unsigned char)-idx[0], 255);
    float f = idx[1] / 4.0f;
    CHECK(f == .5f);
    CHECK(idx[1] / 4 == 0 && idx[2] % 2 == 1);
    f = d;
    d = f;
    CHECK(d == 1.5);
    double *pd = &(double){d};
    CHECK(*pd == 1.5);
    return finish();
}
