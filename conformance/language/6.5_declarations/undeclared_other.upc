// part of: undeclared.upc
#include <upc.h>

int add_first(p, n)
    shared int *p;
    int n;
{
    return *p % THREADS + n;
}

int is_last(shared int *p, int n, shared int *next)
{
    return next == NULL && n == 2 && p != NULL;
}

int only_number(n) { return n + 1; }
