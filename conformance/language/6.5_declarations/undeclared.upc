// threads: 1 2 3 4
// warns: implicit declaration of function
// files: undeclared_other.upc
// Functions that nobody declared take pointers-to-shared, null constants and numbers, as C before 1999 had it.
#include <upc.h>
#include "check.h"

shared int data[4 * THREADS];

int main()
{
    shared int *p = &data[1];

    data[MYTHREAD] = MYTHREAD;
    upc_barrier;
    CHECK_EQUAL(add_first(p, 3), 1 % THREADS + 3);
    CHECK_EQUAL(is_last(p + 1, 2, (shared int *)NULL), 1);
    CHECK_EQUAL(is_last(data, 0, p), 0);
    CHECK_EQUAL(only_number(MYTHREAD), MYTHREAD + 1);
    return finish();
}
