// threads: 1 2 3 4 7
// warns: return type defaults to
// main and others in old style, exit at the end of main.
#include <upc.h>
#include <stdlib.h>
#include "check.h"
shared int total;
shared int part[THREADS];
upc_lock_t *l;

int fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

static void add(x, where) int x;
shared int *where;
{
    upc_lock(l);
    *where += x;
    upc_unlock(l);
}
main(argc, argv) int argc;
char *argv[];
{
    register int i;
    auto int k = 0;
    l = upc_all_lock_alloc();
    part[MYTHREAD] = fib(10);
    add(part[MYTHREAD], &total);
    upc_barrier;
    CHECK_EQUAL(total, 55 * THREADS);
    for (i = 0; i < THREADS; i++)
        k += part[i];
    CHECK_EQUAL(k, total);
    CHECK(argc >= 1 && argv[argc] == 0);
    exit(finish());
}
