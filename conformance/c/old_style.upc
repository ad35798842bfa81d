// threads: 1 2
// flags: -w
// files: old_style_other.c
// C from before C99: calls of undeclared functions, implicit int, pointers of other types, values in integers, tentative
// definitions in several files, functions that return nothing although they should.
#include <upc.h>
#include "check.h"

int common_to_both;
int common_array[10];
shared int place;
static n = 4;
char *text = "text";
unsigned char *bytes;

nothing(i)
{
    if (i)
        return;
    return 5;
}

add(a, b)
{
    return a + b;
}

put(p, v)
    shared int *p;
{
    *p = v;
}

long as_number(p)
    char *p;
{
    int low = p;
    return p == text && low == (int)(long)text;
}

main(argc, argv)
    char **argv;
{
    int *numbers = (char *)malloc(16), k;
    bytes = text;
    numbers = bytes;
    bytes = numbers;
    nothing(1);
    common_to_both = n;
    common_array[9] = 7;
    CHECK_EQUAL(add(2, 3) + undeclared_elsewhere(4), 5 + 4 + 4 + 7);
    CHECK(nothing(0) == 5 && as_number(text) && bytes[0] == 't' && argv[argc] == 0);
    for (k = 0; k < 1; k++)
        ;
    if (MYTHREAD == 0)
        put(&place, 3);
    upc_barrier;
    CHECK_EQUAL(place, 3);
    return finish();
}
