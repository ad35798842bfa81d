// threads: 1 2 3 4 7
// status: 5
// The status of a program whose threads return and exit in different depths; handlers run on each.
#include <upc.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void last(void)
{
    printf("thread %d is done\n", MYTHREAD);
    if (MYTHREAD == 0)
        printf("OK\n");
}

static int deep(int n)
{
    if (n == 0)
        exit(5);
    return deep(n - 1) + 1;
}

int main(void)
{
    atexit(last);
    upc_barrier;
    if (MYTHREAD == 0)
        return deep(10);
    return 5;
}
