// threads: 1 2 3 4 7
// main that returns nothing: arguments and environment on all threads, constructors before it, handlers
// after it.
#include <upc.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"
static int constructed;
static char *name;
shared int argcs[THREADS];

__attribute__((constructor)) static void before(void) { constructed = 1; }

static void at_end(void) { constructed = 0; }

void main(int argc, char **argv, char **envp)
{
    int n = 0;
    CHECK_EQUAL(constructed, 1);
    atexit(at_end);
    argcs[MYTHREAD] = argc;
    CHECK(argv[0] && !argv[argc]);
    name = strrchr(argv[0], '/');
    CHECK(name || argv[0][0]);
    while (envp[n])
        n++;
    upc_barrier;
    CHECK_EQUAL(argcs[(MYTHREAD + 1) % THREADS], argc);
    argv[0] = "changed";
    CHECK_EQUAL(argv[0][0], 'c');
    exit(finish());
}
