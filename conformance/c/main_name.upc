// threads: 1 2
// main keeps its name for the program: __func__ says main, and it can be called and pointed to.
#include <upc.h>
#include <string.h>
#include "check.h"

int main(int argc, char **argv);
static int depth;

static int again(int argc, char **argv)
{
    int (*f)(int, char **) = main;
    return f == main && argc == 1 ? f(argc, argv) : main(argc, argv);
}

int main(int argc, char **argv)
{
    CHECK(!strcmp(__func__, "main") && !strcmp(__FUNCTION__, "main") && argv[argc] == NULL);
    if (depth++ == 0)
        CHECK_EQUAL(again(argc, argv), 17);
    else
        return 17;
    CHECK_EQUAL(depth, 2);
    return finish();
}
