// threads: 1
// flags: -std=c99 -pedantic -Wall
// Without GNU extensions asm and typeof are names.
#include <upc.h>
#include "check.h"

shared int x;

static int twice(int typeof, int asm)
{
    return typeof + asm;
}

int main(void)
{
    x = twice(3, 1);
    upc_barrier;
    CHECK_EQUAL(x, 4);
    return finish();
}
