// threads: 1 2 3 4
// files: two_files_other.upc
// Shared objects across source files: extern, tentative in a header, static of equal name.
#include <upc.h>
#include "check.h"
#include "two_files.h"

shared int defined_here[THREADS];
shared [4] int blocked_here[8 * THREADS];
static shared int same_name[THREADS];
static int private_same_name = 1;
int private_global = 5;

static int counter(void)
{
    static shared int calls;

    if (MYTHREAD == 0)
        calls += 10;
    upc_barrier;
    return calls;
}

int main(void)
{
    int i;

    defined_here[MYTHREAD] = MYTHREAD + 1;
    common[MYTHREAD].value = MYTHREAD + 2;
    same_name[MYTHREAD] = 1000;
    blocked_here[8 * MYTHREAD + 5] = MYTHREAD;
    private_global += MYTHREAD;
    upc_barrier;
    CHECK_EQUAL(sum_defined_here(), THREADS * (THREADS + 1) / 2);
    CHECK_EQUAL(sum_common(), THREADS * (THREADS + 3) / 2);
    CHECK_EQUAL(address_of_common(), upc_addrfield(&common[0]));
    CHECK_EQUAL(other_same_name(), 0);
    CHECK_EQUAL(get_blocked(8 * (THREADS - 1) + 5), THREADS - 1);
    CHECK_EQUAL(get_private_global(), 5 + MYTHREAD);
    CHECK_EQUAL(counter(), 10);
    CHECK_EQUAL(other_counter(), 1);
    for (i = 0; i < THREADS; i++)
        CHECK_EQUAL(defined_there[i], 0);
    upc_barrier;
    set_defined_there();
    upc_barrier;
    for (i = 0; i < THREADS; i++)
        CHECK_EQUAL(defined_there[i], 7 * i);
    CHECK_EQUAL(initialised_there, 42);
    CHECK_EQUAL(private_same_name, 1);
    return finish();
}
