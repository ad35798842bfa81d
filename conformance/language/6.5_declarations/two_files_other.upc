// part of: two_files.upc
#include <upc.h>
#include "two_files.h"

shared int defined_there[THREADS];
shared int initialised_there = 42;
static shared int same_name[THREADS];

int sum_defined_here(void)
{
    int i, sum = 0;

    for (i = 0; i < THREADS; i++)
        sum += defined_here[i];
    return sum;
}

int sum_common(void)
{
    int i, sum = 0;

    for (i = 0; i < THREADS; i++)
        sum += common[i].value;
    return sum;
}

long address_of_common(void)
{
    return (long)upc_addrfield(&common[0]);
}

int other_same_name(void)
{
    return same_name[MYTHREAD];
}

int get_blocked(int i)
{
    return blocked_here[i];
}

int get_private_global(void)
{
    return private_global;
}

static int counter(void)
{
    static shared int calls;

    if (MYTHREAD == THREADS - 1)
        calls += 1;
    upc_barrier;
    return calls;
}

int other_counter(void)
{
    return counter();
}

void set_defined_there(void)
{
    upc_forall (int i = 0; i < THREADS; i++; &defined_there[i])
        defined_there[i] = 7 * i;
}
