// threads: 1 2 3 4
// Structures and unions on another thread: as a whole, their members, what is in these, and bit
// fields, whose neighbours other threads write.
#include <upc.h>
#include <string.h>
#include "check.h"

struct inner {
    char c;
    double d[3];
    struct {
        short s[2][2];
    } deep;
};
struct outer {
    int i;
    struct inner in;
    struct inner array[2];
    const int constant;
    union {
        unsigned u;
        unsigned char bytes[4];
    };
    int *private_pointer;
    shared struct outer *next;
};
struct large {
    double d[500];
};
struct bits {
    char before;
    unsigned three : 3;
    int five : 5;
    unsigned : 0;
    unsigned long forty : 40;
    _Bool flag : 1;
    enum { NO, YES, MAYBE } choice : 2;
    const unsigned fixed : 4;
    char after;
    struct {
        unsigned char low : 4, high : 4;
    } nested;
    int all : 32;
};
struct __attribute__((packed)) squeezed {
    char c;
    int i;
    unsigned a : 7, b : 10;
    double d;
};
struct tail {
    int count;
    int values[];
};

shared struct outer outers[THREADS];
shared struct inner inners[THREADS];
shared struct large larges[THREADS];
shared struct bits fields[THREADS];
strict shared struct bits strict_fields[THREADS];
shared struct squeezed squeezed[THREADS];
strict shared struct inner strict_inners[THREADS];
shared [2] struct inner blocks[2 * THREADS];
static int places[3];

static struct inner make(int n)
{
    struct inner x = {n, {n, n + 1, n + 2}, {{{n, 2}, {3, 4}}}};
    return x;
}
static double sum(struct inner x) { return x.c + x.d[0] + x.d[1] + x.d[2] + x.deep.s[0][0]; }
static struct inner fetch(int i) { return inners[i]; }
static struct inner *address_of(struct inner *p) { return p; }

static void test_whole(void)
{
    int to = (MYTHREAD + 1) % THREADS, i = to;
    struct inner x = make(1);
    inners[to] = x;
    struct inner y = inners[to];
    CHECK(y.deep.s[1][1] == 4 && sum(y) == 8 && sum(inners[to]) == 8);
    inners[i++] = make(2);
    CHECK(i == to + 1 && inners[to].d[2] == 4 && fetch(to).d[1] == 3);
    y = inners[to] = make(3);
    CHECK(y.c == 3 && (inners[to] = x).d[0] == 1 && sum(inners[to] = make(4)) == 23);
    inners[to] = blocks[2 * to + 1] = make(5);
    CHECK(sum(MYTHREAD < 100 ? inners[to] : x) == 28 && sum((i, blocks[2 * to + 1])) == 28);
    strict_inners[to] = inners[to];
    x = strict_inners[to];
    CHECK(sum(x) == 28 && strict_inners[to].deep.s[1][0] == 3);
    struct inner list[2] = {inners[to], make(7)}, copy = inners[to];
    CHECK(list[0].c == 5 && copy.c == 5 && ((struct inner){inners[to].c, {7}}).c == 5);
    CHECK((struct inner[1]){inners[to]}[0].c == 5 && address_of(&(struct inner){9})->c == 9);
    CHECK(({ inners[to]; }).d[1] == 6 && ({ inners[to].d[1]; }) == 6);
    struct large many;
    for (i = 0; i < 500; i++)
        many.d[i] = i;
    larges[to] = many;
    larges[to].d[3]++;
    many = larges[to];
    CHECK(many.d[3] == 4 && many.d[499] == 499);
    upc_barrier;
}

static void test_members(void)
{
    int to = (MYTHREAD + 1) % THREADS;
    shared struct outer *p = &outers[to];
    p->i = 4;
    (*p).in.d[1] = 2.5;
    p->in.d[p->i - 2] = 7;
    outers[to].array[1].deep.s[1][0] = 6;
    CHECK(p->in.d[1] == 2.5 && outers[to].in.d[2] == 7 && p->array[1].deep.s[1][0] == 6);
    CHECK(p->in.d[1]++ == 2.5 && ++p->array[1].deep.s[1][0] == 7 && (p->in.d[2] /= 2) == 3.5);
    CHECK(outers[to].constant == 0 && outers[to].i == 4);
    p->u = 0x01020304;
    CHECK(p->bytes[0] == 4 && p->bytes[3]++ == 1 && p->u == 0x02020304);
    p->in = make(3);
    p->array[0] = p->in;
    CHECK(sum(p->array[0]) == 18 && sum(outers[to].in) == 18);
    struct outer whole = outers[to];
    CHECK(whole.i == 4 && whole.array[0].c == 3);
    p->private_pointer = places;
    p->private_pointer[1] = 8;
    *p->private_pointer += 3;
    CHECK(places[0] == 3 && places[1] == 8 && *++p->private_pointer == 8);
    p->next = &outers[MYTHREAD];
    upc_barrier;
    p->next->i = 11;
    upc_barrier;
    CHECK(outers[MYTHREAD].next->i == 11);
    CHECK(outers[to].next->next->i == 11 && p->next->next->in.c == 3);
    shared [] double *d = p->in.d;
    d[1] = 99;
    CHECK(p->in.d[1] == 99 && *(p->in.d + 1) == 99 && &p->in.d[1] == d + 1);
    squeezed[to].i = 123456;
    squeezed[to].d = 1.5;
    squeezed[to].a = 100;
    squeezed[to].b = 1000;
    CHECK(squeezed[to].i == 123456 && squeezed[to].d == 1.5 && squeezed[to].c == 0);
    CHECK(squeezed[to].a == 100 && squeezed[to].b == 1000);
    shared [] struct tail *t = (shared [] struct tail *)upc_alloc(sizeof(struct tail) + 40);
    static shared [1] struct tail *shared tails[THREADS];
    tails[MYTHREAD] = (shared struct tail *)t;
    upc_barrier;
    shared [] struct tail *other = (shared [] struct tail *)tails[to];
    other->count = 2;
    other->values[9] = 5;
    other->values[9]++;
    CHECK(other->values[9] == 6 && other->count == 2);
    upc_barrier;
}

#define TEST_FIELDS(s)                                                       \
    s.three = 5;                                                             \
    s.five = -9;                                                             \
    s.forty = 0xabcdef0123;                                                  \
    s.flag = 0.5;                                                            \
    s.choice = MAYBE;                                                        \
    s.nested.low = 3;                                                        \
    s.nested.high = 12;                                                      \
    s.all = -1;                                                              \
    CHECK(s.three == 5 && s.five == -9 && s.forty == 0xabcdef0123 && s.flag); \
    CHECK(s.choice == MAYBE && s.nested.low == 3 && s.nested.high == 12);    \
    CHECK(s.before == 'b' && s.after == 'a' && s.fixed == 0 && s.all == -1); \
    CHECK((s.three = 9) == 1 && s.three == 1 && (s.five = 31) == -1);        \
    CHECK(s.three++ == 1 && ++s.three == 3 && s.three-- == 3);               \
    CHECK((s.three += 7) == 1 && (s.five -= 3) == -4 && (s.forty += 1) == 0xabcdef0124); \
    CHECK((s.three - 5 < 0) == 1 && (s.five /= 2) == -2);                    \
    s.three = 6;                                                             \
    CHECK((s.three /= -2) == 5 && s.three == 5);                             \
    s.flag = 0;                                                              \
    CHECK(!s.flag && (s.flag |= 2) == 1 && s.flag && (s.flag += 0.5) == 1);  \
    s.choice++;                                                              \
    CHECK(s.choice == 3 && (s.nested.high ^= 15) == 3 && s.nested.low == 3);

static void test_fields(void)
{
    int to = (MYTHREAD + 1) % THREADS, i = to;
    fields[to].before = strict_fields[to].before = 'b';
    fields[to].after = strict_fields[to].after = 'a';
    TEST_FIELDS(fields[to])
    shared struct bits *p = &fields[to];
    TEST_FIELDS((*p))
    TEST_FIELDS(p[0])
    TEST_FIELDS(strict_fields[to])
    CHECK((fields[i++].three = 2) == 2 && i == to + 1 && (--fields[--i].three, i == to));
    upc_barrier;
}

/* Every thread counts in what is its own, beside each other on thread 0. */
shared struct {
    unsigned zero : 8;
    unsigned char one;
    unsigned two : 8;
    unsigned char three;
} side_by_side;

static void test_neighbours(void)
{
    int i;
    upc_barrier;
    for (i = 0; i < 10000; i++) {
        if (MYTHREAD == THREADS - 1)
            side_by_side.zero++;
        else if (MYTHREAD == 1)
            side_by_side.one++;
        else if (MYTHREAD == 0)
            side_by_side.two++;
        else
            side_by_side.three++;
    }
    upc_barrier;
    CHECK(side_by_side.zero == (10000 & 255));
    if (THREADS > 1)
        CHECK(side_by_side.two == (10000 & 255));
    if (THREADS > 2)
        CHECK(side_by_side.one == (10000 & 255));
    if (THREADS > 3)
        CHECK(side_by_side.three == (10000 & 255));
    upc_barrier;
}

int main(void)
{
    upc_barrier;
    test_whole();
    test_members();
    test_fields();
    test_neighbours();
    return finish();
}
