// threads: 1 2 3 4
// warns: return type defaults to
// Old C: K&R definitions, implicit int, undeclared functions, empty parameter lists.
#include <upc.h>
#include <stdlib.h>
#include "check.h"

shared [2] int a[4 * THREADS];

int sum(p, n, factor)
    shared [2] int *p;
    int n;
    double factor;
{
    int i, s = 0;

    for (i = 0; i < n; i++)
        s += p[i];
    return (int)(s * factor);
}

static shared [2] int *find(p, value) shared [2] int *p; register int value;
{
    while (*p != value)
        p++;
    return p;
}

twice(x)
{
    return 2 * x;
}

static print_nothing()
{
    if (0)
        printf("never\n");
    return 0;
}

int no_arguments()
{
    return defined_later(4);
}

int defined_later(x)
int x;
{
    return x + 1;
}

main(argc, argv)
    int argc;
    char **argv;
{
    int i;

    for (i = MYTHREAD; i < 4 * THREADS; i += THREADS)
        a[i] = i;
    upc_barrier;
    CHECK_EQUAL(sum(a, 4 * THREADS, 1.0), 4 * THREADS * (4 * THREADS - 1) / 2);
    CHECK(find(a, 3) == &a[3]);
    CHECK_EQUAL(twice(4), 8);
    CHECK_EQUAL(no_arguments(), 5);
    CHECK_EQUAL(print_nothing(), 0);
    CHECK(argc == 1 && argv[0] != NULL);
    return finish();
}
