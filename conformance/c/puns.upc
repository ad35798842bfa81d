// threads: 1 2 3 4
// flags: -O2
// Memory that is accessed as another type than it has, through casts, as old programs do it: in shared memory by
// pointers-to-shared and private pointers, and in private memory.
#include <stdint.h>
#include <upc_relaxed.h>
#include "check.h"

#define NOINLINE __attribute__((noinline))

shared float own[THREADS];
shared [] double *parts[1];

static NOINLINE int32_t changed(int32_t *bits, float *number)
{
    *bits = 1;
    *number = 2;
    return *bits;
}

static NOINLINE float changed_own(int32_t *bits)
{
    own[MYTHREAD] = 1;
    *bits = 0x40400000;
    return own[MYTHREAD];
}

static NOINLINE double changed_shared(shared [] int64_t *bits, shared [] double *number)
{
    *number = 1;
    *bits = 0x4008000000000000;
    return *number;
}

/* Big-endian numbers of a file, say, in place. */
static void swap(void *data, int count)
{
    uint64_t *words = data;

    for (int i = 0; i < count; i++)
        words[i] = __builtin_bswap64(words[i]);
}

static NOINLINE double sum_of_swapped(double *numbers)
{
    for (int i = 0; i < 4; i++)
        numbers[i] = 3.03865e-319; /* 1.0 with its bytes the other way round */
    swap(numbers, 4);
    return numbers[0] + numbers[1] + numbers[2] + numbers[3];
}

int main(void)
{
    float number = 0;
    double numbers[4];

    CHECK_EQUAL(changed((int32_t *)&number, &number), 0x40000000);
    CHECK(changed_own((int32_t *)&own[MYTHREAD]) == 3);
    parts[0] = (shared [] double *)upc_alloc(sizeof(double));
    CHECK(changed_shared((shared [] int64_t *)parts[0], parts[0]) == 3);
    CHECK(sum_of_swapped(numbers) == 4);
    upc_barrier;
    return finish();
}
