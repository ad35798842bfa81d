// threads: 1 2
// modes: dynamic
// files: c_code_part.upc
// After #pragma upc c_code the words of UPC are names, as in C, until #pragma upc upc_code.
#pragma upc c_code
#include "c_code.h"

float MYTHREAD;
int shared(void) { return 1; }
static int THREADS = 3;
static int in_c(int strict) { int relaxed = strict + 1; return relaxed * THREADS; }

#pragma upc upc_code
#include <upc.h>
#include "check.h"

shared int x[THREADS];

int main(void)
{
    x[MYTHREAD] = in_c(1);
    upc_barrier;
    CHECK_EQUAL(x[(MYTHREAD + 1) % THREADS], 6);
    CHECK_EQUAL(other(4), 5);
    finish();
}
