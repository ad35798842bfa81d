// threads: 1 2 3 4 7
// Names: __func__ and recursion of main; members, labels, tags, locals and parameters called as shared
// objects are.
#include <upc.h>
#include <string.h>
#include "check.h"
shared int a[THREADS], value = 4, count;
shared int *p = &value;

enum { first_enum = 3 };

struct a {
    int a;
    int value;

    struct {
        int count;
    } p;
};
shared struct a structure;

union value {
    int i;
    float f;
};

static int value_of(struct a a) { return a.a + a.value + a.p.count; }

static int parameter(int a, int *value, shared int *count) { return a + *value + *count; }
static int knr(a, p)
int a;
shared int *p;
{
    return a + *p;
}

static int locals(void)
{
    int a = 1;
    {
        int value = 2, *p = &value;
        {
            float count = 3;
            a += *p + count;
        }
        a += value;
    }
    for (int count = 0; count < 2; count++)
        a += count;
    return a + value;
}

static int labels(int n)
{
    goto a;
count:
    n++;
    if (n > 5)
        goto value;
a:
    n++;
    goto count;
value:
    return n;
}

static int typedefs(void)
{
    typedef int a;

    typedef struct {
        a p;
    } value;

    value count = {3};
    a b = (a)count.p;
    {
        shared int *a = p;
        b += *a;
    }
    return b + sizeof(value);
}

static int enums(void)
{
    enum { value = 7, a = 8 };

    return value + a;
}

static int function_named(void)
{
    extern shared int value;
    return value;
}

static int depth;

static const char *where(void) { return __func__; }

#define FIELD(s, f) ((s).f)

int main(int argc, char **argv)
{
    struct a s = {.a = 1, .value = 2, .p = {.count = 3}}, *q = &s;
    union value u = {.i = 1};
    if (depth++ == 0) {
        CHECK(!strcmp(__func__, "main"));
        CHECK(!strcmp(__FUNCTION__, "main") && !strcmp(__PRETTY_FUNCTION__, "main"));
        CHECK(!strcmp(where(), "where"));
        CHECK_EQUAL(main(argc, argv), 17);
        int (*again)(int, char **) = main;
        CHECK_EQUAL(again(1, argv), 17);
    } else
        return 17;
    CHECK_EQUAL(value_of(s), 6);
    CHECK_EQUAL(parameter(1, &s.value, p), 7);
    CHECK_EQUAL(knr(3, p), 7);
    CHECK_EQUAL(locals(), 1 + 5 + 2 + 1 + 4);
    CHECK_EQUAL(labels(0), 6);
    CHECK_EQUAL(typedefs(), 3 + 4 + 4);
    CHECK_EQUAL(enums(), 15);
    CHECK_EQUAL(FIELD(s, value) + q->p.count + u.i + FIELD(*q, a), 7);
    CHECK_EQUAL(function_named(), 4);
    structure.value = 5;
    structure.p.count = 6;
    CHECK_EQUAL(FIELD(structure, value) + structure.p.count, 11);
    CHECK_EQUAL(((struct a){.value = 9}).value, 9);
    CHECK_EQUAL(((struct a){value, value + 1}).value, 5);
    int array[] = {[first_enum] = value, value};
    CHECK_EQUAL(array[3] + array[4], 8);
    switch (value) {
    case first_enum ... 5:
        break;
    default:
        CHECK(0);
    }
    return finish();
}
