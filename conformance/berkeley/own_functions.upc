// threads: 1 2 3
// A program may define what the library also has: types, functions, objects, macros; also with other parameters.
#include <upc.h>
#include <upc_collective.h>
#include "check.h"

typedef unsigned long long bupc_tick_t;
typedef struct handle {
    int number;
} bupc_handle_t;

static inline bupc_tick_t bupc_ticks_now(void)
{
    return 7;
}

static double bupc_tick_overhead()
{
    return 3.5;
}

int bupc_thread_distance(int a, int b, int c)
{
    return a - b + c;
}

void *bupc_cast(shared void *p, int);
void *bupc_cast(shared void *p, int add)
{
    return (char *)p + add;
}

bupc_handle_t bupc_memget_async(int number)
{
    bupc_handle_t h = {number};

    return h;
}

int bupc_castable = 5;
enum { bupc_poll = 12 };

#define bupc_ticks_to_us(x) ((x) * 1000)

// With other parameters than the collective.
static int upc_all_reduceI(int x)
{
    return x + 1;
}

long upc_all_permute(long x)
{
    return 2 * x;
}

shared char bytes[THREADS];

int main(void)
{
    bupc_tick_t t = bupc_ticks_now();

    CHECK_EQUAL(bupc_ticks_to_us(t), 7000);
    CHECK(bupc_tick_overhead() == 3.5);
    CHECK_EQUAL(bupc_thread_distance(5, 2, 1), 4);
    CHECK_EQUAL((char *)bupc_cast(&bytes[MYTHREAD], 3) - (char *)&bytes[MYTHREAD], 3);
    CHECK_EQUAL(bupc_memget_async(9).number, 9);
    CHECK_EQUAL(bupc_castable + bupc_poll, 17);
    CHECK_EQUAL(upc_all_reduceI(4), 5);
    CHECK_EQUAL(upc_all_permute(4), 8);
    return finish();
}
