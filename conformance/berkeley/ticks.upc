// threads: 1 2 4
// bupc_ticks: the clock goes forward and agrees with the system's.
#include <upc.h>
#include <stdint.h>
#include <time.h>
#include "check.h"

static long nanoseconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

int main(void)
{
    bupc_tick_t before, after;
    struct timespec pause = {0, 10000000};
    long outer = nanoseconds(), inner;
    uint64_t elapsed;

    before = bupc_ticks_now();
    inner = nanoseconds();
    nanosleep(&pause, NULL);
    inner = nanoseconds() - inner;
    after = bupc_ticks_now();
    outer = nanoseconds() - outer;
    elapsed = bupc_ticks_to_ns(after - before);
    CHECK(before < after && after < BUPC_TICK_MAX && before > BUPC_TICK_MIN);
    CHECK((long)elapsed >= inner - inner / 50 && (long)elapsed <= outer + outer / 50);
    CHECK_EQUAL(bupc_ticks_to_us(after - before), elapsed / 1000);
    CHECK(bupc_tick_granularity() > 0 && bupc_tick_granularity() < 10000);
    CHECK(bupc_tick_overhead() > 0 && bupc_tick_overhead() < 1000);
    return finish();
}
