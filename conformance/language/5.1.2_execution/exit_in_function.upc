// threads: 1 2 3 4
// status: 5
// expect: OK
// exit() by all threads waits for the last one, runs handlers, and gives its status.
#include <upc.h>
#include <stdio.h>
#include <stdlib.h>

shared int arrived;
upc_lock_t *lock;

static void handler(void)
{
    if (MYTHREAD == 0)
        printf("OK\n");
}

static void leave(void)
{
    exit(5);
}

int main(void)
{
    atexit(handler);
    leave();
    return 0;
}
