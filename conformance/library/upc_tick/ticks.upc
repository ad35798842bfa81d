// threads: 1 2 4
// Time: upc_ticks_now goes forward and agrees with the system's clock.
#include <upc.h>
#include <upc_tick.h>
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
    upc_tick_t before = upc_ticks_now(), after;
    long outer = nanoseconds(), inner;
    struct timespec pause = {0, 20000000};
    uint64_t elapsed;

    before = upc_ticks_now();
    inner = nanoseconds();
    nanosleep(&pause, NULL);
    inner = nanoseconds() - inner;
    after = upc_ticks_now();
    outer = nanoseconds() - outer;
    elapsed = upc_ticks_to_ns(after - before);
    CHECK(after > before);
    CHECK((long)elapsed >= inner - inner / 50 && (long)elapsed <= outer + outer / 50);
    CHECK(UPC_TICK_MIN < UPC_TICK_MAX);
    return finish();
}
