// threads: 1 2 3 4 7
// upc_affinitysize: the parts of all threads are those of upc_threadof, element by element.
#include <upc.h>
#include "check.h"

#define CHECK_SIZES(array, bytes)                                                                          \
    do {                                                                                                   \
        size_t count = sizeof(array) / sizeof((array)[0]), own = 0;                                        \
                                                                                                           \
        for (i = 0; i < count; i++)                                                                        \
            own += upc_threadof(&(array)[i]) == (size_t)MYTHREAD;                                          \
        CHECK_EQUAL(upc_affinitysize(sizeof(array), bytes, MYTHREAD), own * sizeof((array)[0]));           \
        for (i = 0, sum = 0; i < (size_t)THREADS; i++)                                                     \
            sum += upc_affinitysize(sizeof(array), bytes, i);                                              \
        CHECK_EQUAL(sum, sizeof(array));                                                                   \
    } while (0)

shared int cyclic[5 * THREADS];
shared [3] double blocked[7 * THREADS];
shared [] char flat[29];
shared [*] short spread[4 * THREADS];

int main(void)
{
    size_t i, sum;

    CHECK_SIZES(cyclic, sizeof(int));
    CHECK_SIZES(blocked, 3 * sizeof(double));
    CHECK_SIZES(flat, 0);
    CHECK_SIZES(spread, 4 * sizeof(short));
    CHECK_EQUAL(upc_affinitysize(0, 8, MYTHREAD), 0);
    return finish();
}
